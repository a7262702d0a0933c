import { ActionIcon } from '@mantine/core'
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SessionGate } from '#web/identity/session-gate.tsx'
import { useIsPhone } from '#web/ui/device.ts'
import { SideDialog } from '#web/ui/dialog.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { narrowQuery } from '#web/ui/media-queries.ts'
import { useShortcuts } from '../map-page/use-shortcuts.ts'
import { PageActions } from '../page-actions.tsx'
import { SkipLinks } from '../page-parts.tsx'
import { StaffFrame } from '../staff-frame.tsx'
import { readConfigMapSearch } from './config-search.ts'
import classes from './config-shell.module.css'
import { type ChosenMaps, ConfigSidebar, isClientSelection, type LastSearches } from './config-sidebar.tsx'

const ShortcutHelp = lazyPart(() =>
  import('../map-page/shortcut-help.tsx').then((module) => module.ShortcutHelp),
)

export function ConfigShell() {
  return (
    <>
      <SessionGate>
        <Shell />
      </SessionGate>
      <StaffFrame />
    </>
  )
}

function Shell() {
  const isPhone = useIsPhone()
  const { mapId, section } = useParams({ strict: false })
  const maps = { ...useMaps(mapId), searches: useLastSearches() }
  const isNarrow = useMediaQuery(narrowQuery, false, { getInitialValueInEffect: false })
  const [isCollapsed, setIsCollapsed] = useCollapsed(isNarrow)
  const hasMap = useLocation({
    select: ({ pathname }) => mapId !== undefined && !/\/(fields|tokens|webhooks)$/.test(pathname),
  })
  const [isHelpOpen, help] = useDisclosure(false)
  useShortcuts({
    isOff: isHelpOpen,
    help: help.open,
    sidebar: () => setIsCollapsed(!isCollapsed),
  })
  return (
    <div className={classes.shell} data-phone={isPhone || undefined}>
      <SkipLinks hasMap={hasMap} />
      {isPhone ? (
        <PhoneBar maps={maps} onHelp={help.open} />
      ) : (
        <Guard what="The sidebar" layout="inline">
          <ConfigSidebar
            maps={maps}
            isCollapsed={isCollapsed}
            onCollapse={setIsCollapsed}
            onHelp={help.open}
          />
        </Guard>
      )}
      <div className={classes.content}>
        <Outlet />
      </div>
      {isHelpOpen && (
        <Guard what="The list of shortcuts" layout="dialog" onClose={help.close}>
          <ShortcutHelp groups={null} isEditor isTriage={section === 'reports'} isOpen onClose={help.close} />
        </Guard>
      )}
    </div>
  )
}

/** Remembered on wide screens. On narrow ones the expanded sidebar leaves little room, until the next page. */
function useCollapsed(isNarrow: boolean) {
  const wide = useLocalStorage({
    key: 'poa.config.sidebar.collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const path = useLocation({ select: ({ pathname }) => pathname })
  const [expandedAt, setExpandedAt] = useState<string>()
  if (expandedAt !== undefined && expandedAt !== path) setExpandedAt(undefined)
  if (!isNarrow) return [wide[0], wide[1]] as const
  return [expandedAt !== path, (is: boolean) => setExpandedAt(is ? undefined : path)] as const
}

/** The navigation returns to Map Features with their filters, but not to a record. */
function useLastSearches(): LastSearches {
  const { pathname, searchStr, search } = useLocation()
  const [last, setLast] = useState<LastSearches>({})
  if (pathname.endsWith('/features') && last[pathname]?.searchStr !== searchStr) {
    const { select: _, add: __, ...filters } = readConfigMapSearch(search)
    setLast({ ...last, [pathname]: { searchStr, search: filters } })
  }
  return last
}

/** People and tokens belong to no client: the sidebar stays at the last one, as do links to other pages. */
function useMaps(mapId: string | undefined): Omit<ChosenMaps, 'searches'> {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const [last, setLast] = useState(mapId)
  if (mapId !== undefined && mapId !== last) setLast(mapId)
  return { chosen: mapId ?? (isClientSelection(path) ? undefined : last), last: mapId ?? last }
}

type PhoneBarProps = { maps: ChosenMaps; onHelp(): void }

function PhoneBar({ maps, onHelp }: PhoneBarProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const place = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(close, [place])
  return (
    <>
      <nav className={classes.phoneBar} aria-label="Top">
        <ActionIcon variant="subtle" color="gray" size={44} aria-label="Menu" onClick={open}>
          <IconMenu2 size={22} />
        </ActionIcon>
        <span className={classes.phoneTitle}>POA Land Management</span>
        <PageActions mapId={maps.last} here="configuration" shape="phone" onHelp={onHelp} />
      </nav>
      <SideDialog label="Menu" from="left" isOpen={isOpen} onClose={close}>
        {() => <ConfigSidebar maps={maps} isMenu isCollapsed={false} onCollapse={close} onHelp={onHelp} />}
      </SideDialog>
    </>
  )
}
