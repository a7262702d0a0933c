import { ActionIcon } from '@mantine/core'
import { IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { useState } from 'react'
import { GlyphIcon } from '#web/features/pin-icon.tsx'
import { groupGlyphPaths } from '#web/map/type-glyphs.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { tip } from '#web/ui/tips.tsx'
import { PageActions } from '../page-actions.tsx'
import { Association, ContactOfAssociation } from './association.tsx'
import {
  FiltersIcon,
  FiltersLabel,
  ListPane,
  PaneFilters,
  type PaneProps,
  pageOf,
  ResetFilters,
} from './list-pane.tsx'
import classes from './sidebar.module.css'

type SidebarProps = PaneProps & { isCollapsed: boolean; onCollapse(isCollapsed: boolean): void }

const tallEnoughForFilters = 860

export function Sidebar(props: SidebarProps) {
  const { isCollapsed, onCollapse, summary, variant } = props
  const [areFiltersOpen] = useState(() => window.innerHeight >= tallEnoughForFilters)
  if (isCollapsed) return <Rail {...props} />
  return (
    <aside className={classes.sidebar} aria-label="Sidebar">
      <header className={classes.header}>
        <div className={classes.titles}>
          <h1>POA Land Management</h1>
          <Association summary={summary} />
        </div>
        <ActionIcon
          {...tip('Collapse (B)')}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Collapse the sidebar"
          onClick={() => onCollapse(true)}
        >
          <IconChevronsLeft size={18} />
        </ActionIcon>
      </header>
      <ListPane {...props} />
      {!variant.hasFiltersTab && (
        <section className={classes.filters} aria-label="Layers & Filters">
          <Disclosure
            label={<FiltersLabel {...props} />}
            look="title"
            isOpenByDefault={areFiltersOpen}
            beside={<ResetFilters {...props} />}
          >
            <PaneFilters {...props} />
          </Disclosure>
        </section>
      )}
      <ContactOfAssociation client={summary?.client} />
      <PageActions {...pageOf(props)} shape="footer" />
    </aside>
  )
}

function Rail(props: SidebarProps) {
  const { variant, onCollapse, update, search } = props
  const [firstGroup] = variant.groups
  return (
    <aside className={classes.rail} aria-label="Sidebar">
      <ActionIcon
        {...tip('Expand (B)', 'right')}
        variant="subtle"
        color="gray"
        size={40}
        aria-label="Expand the sidebar"
        onClick={() => onCollapse(false)}
      >
        <IconChevronsRight size={20} />
      </ActionIcon>
      {variant.groups.map(({ key, label }) => {
        return (
          <ActionIcon
            key={key}
            {...tip(label, 'right')}
            variant={(search.tab ?? firstGroup.key) === key ? 'light' : 'subtle'}
            color="gray"
            size={40}
            aria-label={label}
            onClick={() => {
              update({ tab: key === firstGroup.key ? undefined : key })
              onCollapse(false)
            }}
          >
            <GlyphIcon paths={groupGlyphPaths(key)} size={20} />
          </ActionIcon>
        )
      })}
      <ActionIcon
        {...tip('Layers & Filters', 'right')}
        variant="subtle"
        color="gray"
        size={40}
        onClick={() => {
          if (variant.hasFiltersTab) update({ tab: 'filters' })
          onCollapse(false)
        }}
      >
        <FiltersIcon {...props} />
      </ActionIcon>
      <PageActions {...pageOf(props)} shape="rail" />
    </aside>
  )
}
