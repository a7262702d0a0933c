import { ActionIcon, Tooltip } from '@mantine/core'
import { IconKeyboard, IconMap2, IconSettings, IconStack2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ThemeButton } from '#web/ui/theme-button.tsx'
import classes from './map-links.module.css'

type MapLinksProps = {
  mapId: string
  isViewer: boolean
  onHelp(): void
  /** Before the others. */
  children?: ReactNode
}

/** Where else one can go from the map, and how it looks. */
export function MapLinks({ mapId, isViewer, onHelp, children }: MapLinksProps) {
  const other = isViewer
    ? { label: 'Main map', to: `/map/${mapId}`, Icon: IconMap2 }
    : { label: 'Viewer', to: `/webgl/${mapId}`, Icon: IconStack2 }
  return (
    <nav className={classes.ways} aria-label="Elsewhere">
      {children}
      <span className={classes.space} />
      <Tooltip label={other.label}>
        <ActionIcon
          component={Link}
          to={other.to}
          variant="subtle"
          color="gray"
          size={36}
          aria-label={other.label}
        >
          <other.Icon size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Configuration">
        <ActionIcon
          component={Link}
          to={`/config/map/${mapId}`}
          variant="subtle"
          color="gray"
          size={36}
          aria-label="Configuration"
        >
          <IconSettings size={18} />
        </ActionIcon>
      </Tooltip>
      <ThemeButton />
      <Tooltip label="Keyboard shortcuts (?)">
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Keyboard shortcuts" onClick={onHelp}>
          <IconKeyboard size={18} />
        </ActionIcon>
      </Tooltip>
    </nav>
  )
}
