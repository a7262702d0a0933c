import { ActionIcon } from '@mantine/core'
import { IconKeyboard, IconMap2, IconSettings, IconStack2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ThemeButton } from '#web/ui/theme-button.tsx'
import { tip } from '#web/ui/tips.tsx'
import classes from './map-links.module.css'

type MapLinksProps = {
  mapId: string
  isViewer: boolean
  onHelp(): void
  children?: ReactNode
}

export function MapLinks({ mapId, isViewer, onHelp, children }: MapLinksProps) {
  const other = isViewer
    ? { label: 'Main map', to: `/map/${mapId}`, Icon: IconMap2 }
    : { label: 'Viewer', to: `/webgl/${mapId}`, Icon: IconStack2 }
  return (
    <nav className={classes.ways} aria-label="Other pages">
      {children}
      <span className={classes.space} />
      <ActionIcon
        {...tip(other.label)}
        component={Link}
        to={other.to}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={other.label}
      >
        <other.Icon size={18} />
      </ActionIcon>
      <ActionIcon
        {...tip('Configuration')}
        component={Link}
        to={`/config/map/${mapId}`}
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Configuration"
      >
        <IconSettings size={18} />
      </ActionIcon>
      <ThemeButton />
      <ActionIcon
        {...tip('Keyboard shortcuts (?)')}
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Keyboard shortcuts"
        onClick={onHelp}
      >
        <IconKeyboard size={18} />
      </ActionIcon>
    </nav>
  )
}
