import { ActionIcon, Tabs, VisuallyHidden } from '@mantine/core'
import {
  IconBell,
  IconBuildings,
  IconChecklist,
  IconChevronsLeft,
  IconChevronsRight,
  IconFileImport,
  IconForms,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconMap2,
  IconMapSearch,
  IconSettings,
  IconSpeakerphone,
  IconWebhook,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMay } from '#web/api/use-session.ts'
import { tip } from '#web/ui/tips.tsx'
import { PageActions } from '../page-actions.tsx'
import type { ConfigMapSearch } from './config-search.ts'
import classes from './config-sidebar.module.css'
import { NotificationsPane, useUnreadCount } from './notifications-pane.tsx'

type Tab = 'map' | 'notifications'
/** By path. */
export type LastSearches = { [path: string]: { searchStr: string; search: ConfigMapSearch } }
export type ChosenMaps = { chosen: string | undefined; last: string | undefined; searches: LastSearches }
type ConfigSidebarProps = {
  maps: ChosenMaps
  isMenu?: boolean
  isCollapsed: boolean
  onCollapse(isCollapsed: boolean): void
  onHelp(): void
}

export function ConfigSidebar({ maps, isMenu = false, isCollapsed, onCollapse, onHelp }: ConfigSidebarProps) {
  const { chosen: mapId } = maps
  const [tab, setTab] = useState<Tab>('map')
  const isStaff = useMay('staff', mapId)
  const unread = useUnreadCount(isStaff ? mapId : undefined)
  if (isCollapsed)
    return (
      <Rail
        maps={maps}
        unread={unread}
        onHelp={onHelp}
        onExpand={(wanted) => {
          setTab(wanted)
          onCollapse(false)
        }}
      />
    )
  return (
    <aside className={classes.sidebar} aria-label="Sidebar">
      <header className={classes.header}>
        <span className={classes.title}>POA Land Management</span>
        <ActionIcon
          {...(isMenu ? {} : tip('Collapse (B)'))}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={isMenu ? 'Close menu' : 'Collapse the sidebar'}
          onClick={() => onCollapse(true)}
        >
          <IconChevronsLeft size={18} />
        </ActionIcon>
      </header>
      <Tabs
        className={classes.tabs}
        value={tab}
        onChange={(value) => setTab(value === 'notifications' ? value : 'map')}
        keepMounted={false}
      >
        <Tabs.List grow>
          <Tabs.Tab value="map">Map</Tabs.Tab>
          <Tabs.Tab value="notifications">
            Notifications
            {unread > 0 && <UnreadBadge count={unread} />}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="map" className={classes.panel}>
          <Navigation maps={maps} />
        </Tabs.Panel>
        <Tabs.Panel value="notifications" className={classes.panel}>
          <NotificationsPane mapId={mapId} isStaff={isStaff} />
        </Tabs.Panel>
      </Tabs>
      <PageActions mapId={maps.last} here="configuration" shape="footer" onHelp={onHelp} />
    </aside>
  )
}

function UnreadBadge({ count }: { count: number }) {
  return (
    <span className={classes.unread}>
      {count > 99 ? '99+' : count}
      <VisuallyHidden component="span"> unread</VisuallyHidden>
    </span>
  )
}

const selectionPath = '/config/map'

export const isClientSelection = (path: string) => path === selectionPath || path === '/config'

const sections = [
  { label: 'Overview', icon: IconLayoutDashboard, section: 'map' },
  { label: 'Map Config', icon: IconSettings, section: 'configuration' },
  { label: 'Fields', icon: IconForms, section: 'fields' },
  { label: 'Map Features', icon: IconListDetails, section: 'features' },
  { label: 'Reports', icon: IconSpeakerphone, section: 'reports' },
  { label: 'Work', icon: IconChecklist, section: 'work' },
  { label: 'Import', icon: IconFileImport, section: 'import' },
  { label: 'Land', icon: IconMapSearch, section: 'land' },
  { label: 'Access tokens', icon: IconKey, section: 'tokens' },
  { label: 'Webhooks', icon: IconWebhook, section: 'webhooks' },
] as const

/** Without a map, `to` of its sections is undefined. */
function navigationItems(mapId: string | undefined) {
  return [
    { label: 'Map Selection', icon: IconBuildings, to: selectionPath },
    ...sections.map(({ section, ...item }) => ({
      ...item,
      to: mapId === undefined ? undefined : `/config/map/${mapId}/${section}`,
    })),
  ]
}

function useCurrentPath(): string {
  const path = useLocation({ select: ({ pathname }) => pathname })
  return isClientSelection(path) ? selectionPath : path
}

function Navigation({ maps }: { maps: ChosenMaps }) {
  return (
    <nav className={classes.nav} aria-label="Configuration">
      {navigationItems(maps.chosen).map(({ label, icon: Icon, to }) =>
        to === undefined ? (
          <span key={label} className={classes.item} aria-disabled="true" title="Select a client first">
            <Icon size={18} aria-hidden="true" />
            {label}
          </span>
        ) : (
          <PlaceLink key={label} className={classes.item} to={to} searches={maps.searches}>
            <Icon size={18} aria-hidden="true" />
            {label}
          </PlaceLink>
        ),
      )}
    </nav>
  )
}

type PlaceLinkProps = { to: string; searches: LastSearches; className?: string; children?: ReactNode }

function PlaceLink({ to, searches, ...props }: PlaceLinkProps) {
  const currentPath = useCurrentPath()
  return (
    <Link
      {...props}
      to={to}
      search={searches[to]?.search ?? {}}
      activeOptions={{ exact: true }}
      aria-current={to === currentPath ? 'page' : undefined}
    />
  )
}

type RailProps = {
  maps: ChosenMaps
  unread: number
  onExpand(tab: Tab): void
  onHelp(): void
}

function Rail({ maps, unread, onExpand, onHelp }: RailProps) {
  return (
    <aside className={classes.rail} aria-label="Sidebar">
      <RailButton label="Expand the sidebar" onClick={() => onExpand('map')}>
        <IconChevronsRight size={20} />
      </RailButton>
      <RailButton label="Map" onClick={() => onExpand('map')}>
        <IconMap2 size={20} />
      </RailButton>
      <RailButton
        label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
        onClick={() => onExpand('notifications')}
      >
        <IconBell size={20} />
        {unread > 0 && <span className={classes.dot} />}
      </RailButton>
      <nav className={classes.railNav} aria-label="Configuration">
        {navigationItems(maps.chosen).map(({ label, icon: Icon, to }) => (
          <ActionIcon
            key={label}
            {...tip(label, 'right')}
            {...(to === undefined
              ? { disabled: true }
              : { renderRoot: (props) => <PlaceLink {...props} to={to} searches={maps.searches} /> })}
            variant="subtle"
            color="gray"
            size={40}
            aria-label={label}
          >
            <Icon size={20} />
          </ActionIcon>
        ))}
      </nav>
      <PageActions mapId={maps.last} here="configuration" shape="rail" onHelp={onHelp} />
    </aside>
  )
}

type RailButtonProps = { label: string; onClick(): void; children: ReactNode }

function RailButton({ label, onClick, children }: RailButtonProps) {
  return (
    <ActionIcon
      {...tip(label, 'right')}
      className={classes.railButton}
      variant="subtle"
      color="gray"
      size={40}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  )
}
