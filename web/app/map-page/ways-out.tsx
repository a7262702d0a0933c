import { ActionIcon, Button, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconKeyboard, IconLogin2, IconMoon, IconSettings, IconStack2, IconSun } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import classes from './ways-out.module.css'

/** Where else one can go from the map, and how it looks. */
export function WaysOut({ mapId, onHelp }: { mapId: string; onHelp(): void }) {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const themeLabel = isDark ? 'Light theme' : 'Dark theme'
  return (
    <nav className={classes.ways} aria-label="Elsewhere">
      <Button
        component={Link}
        to="/config/map"
        variant="default"
        size="xs"
        leftSection={<IconLogin2 size={16} aria-hidden="true" />}
      >
        Login
      </Button>
      <span className={classes.space} />
      <Tooltip label="Viewer">
        <ActionIcon
          component={Link}
          to={`/webgl/${mapId}`}
          variant="subtle"
          color="gray"
          size={36}
          aria-label="Viewer"
        >
          <IconStack2 size={18} />
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
      <Tooltip label={themeLabel}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={themeLabel}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Keyboard shortcuts (?)">
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Keyboard shortcuts" onClick={onHelp}>
          <IconKeyboard size={18} />
        </ActionIcon>
      </Tooltip>
    </nav>
  )
}
