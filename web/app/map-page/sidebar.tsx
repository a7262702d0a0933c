import { ActionIcon, Collapse, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconAdjustments,
  IconAlertTriangle,
  IconChevronDown,
  IconChevronsLeft,
  IconChevronsRight,
  IconMapPin,
  IconPolygon,
} from '@tabler/icons-react'
import { useState } from 'react'
import { featureKinds } from '#domain/features/kinds.ts'
import { kindLabels } from '#web/features/type-label.ts'
import { ListPane, type PaneProps } from './list-pane.tsx'
import { PaneFilters } from './pane-filters.tsx'
import classes from './sidebar.module.css'
import { WaysOut } from './ways-out.tsx'

type SidebarProps = PaneProps & { isCollapsed: boolean; onCollapse(isCollapsed: boolean): void }

/** Pixels of window below which an open filter panel would leave the list too little room. */
const tallEnoughForFilters = 860

const icons = { incident: IconAlertTriangle, asset: IconMapPin, parcel: IconPolygon }

export function Sidebar(props: SidebarProps) {
  const { isCollapsed, onCollapse, summary } = props
  const [areFiltersOpen, setAreFiltersOpen] = useState(() => window.innerHeight >= tallEnoughForFilters)
  if (isCollapsed) return <Rail {...props} />
  return (
    <aside className={classes.sidebar} aria-label="Sidebar">
      <header className={classes.header}>
        <div className={classes.titles}>
          <h1>POA Land Management</h1>
          <p>{summary?.client?.name ?? summary?.id}</p>
        </div>
        <Tooltip label="Collapse (B)">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Collapse the sidebar"
            onClick={() => onCollapse(true)}
          >
            <IconChevronsLeft size={18} />
          </ActionIcon>
        </Tooltip>
      </header>
      <ListPane {...props} />
      <section className={classes.filters} aria-label="Layers & Filters">
        <UnstyledButton
          className={classes.filtersButton}
          aria-expanded={areFiltersOpen}
          onClick={() => setAreFiltersOpen(!areFiltersOpen)}
        >
          <IconChevronDown size={16} aria-hidden="true" data-closed={!areFiltersOpen || undefined} />
          Layers & Filters
        </UnstyledButton>
        <Collapse expanded={areFiltersOpen}>
          <PaneFilters {...props} />
        </Collapse>
      </section>
      <WaysOut mapId={props.mapId} onHelp={props.onHelp} />
    </aside>
  )
}

function Rail({ onCollapse, update, search }: SidebarProps) {
  return (
    <aside className={classes.rail} aria-label="Sidebar">
      <Tooltip label="Expand (B)" position="right">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label="Expand the sidebar"
          onClick={() => onCollapse(false)}
        >
          <IconChevronsRight size={20} />
        </ActionIcon>
      </Tooltip>
      {featureKinds.map((kind) => {
        const Icon = icons[kind]
        return (
          <Tooltip key={kind} label={kindLabels[kind].many} position="right">
            <ActionIcon
              variant={(search.tab ?? 'incident') === kind ? 'light' : 'subtle'}
              color="gray"
              size={40}
              aria-label={kindLabels[kind].many}
              onClick={() => {
                update({ tab: kind === 'incident' ? undefined : kind })
                onCollapse(false)
              }}
            >
              <Icon size={20} />
            </ActionIcon>
          </Tooltip>
        )
      })}
      <Tooltip label="Layers & Filters" position="right">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label="Layers & Filters"
          onClick={() => onCollapse(false)}
        >
          <IconAdjustments size={20} />
        </ActionIcon>
      </Tooltip>
    </aside>
  )
}
