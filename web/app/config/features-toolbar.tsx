import { ActionIcon, Button, Indicator, Menu, Popover, VisuallyHidden } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconDots,
  IconDownload,
  IconFilter,
  IconRestore,
  IconSortDescending,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { featureKinds, kindLabels, recordOf } from '#domain/definition/kinds.ts'
import { type FeatureSort, featureSortColumns, firstFeatureSort } from '#domain/features/feature-sort.ts'
import { countChoices } from '#domain/features/filter-counts.ts'
import { type Filters, noFilters } from '#domain/features/filters.ts'
import { filterCountsQuery, type TableQuery } from '#web/api/features.api.ts'
import { ColumnsMenu } from '#web/features/columns-menu.tsx'
import { directionOf } from '#web/features/feature-table-head.tsx'
import { FilterFields, FilterSelect, ShowResults } from '#web/features/filters-panel.tsx'
import type { TableColumns } from '#web/features/use-table-columns.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { SideDialog } from '#web/ui/dialog.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { tip } from '#web/ui/tips.tsx'
import type { Exported } from '#web/workspace/exporting/export-form.tsx'
import { useOpenExport } from '#web/workspace/exporting/open-export.tsx'
import { useShortcuts } from '../map-page/use-shortcuts.ts'
import type { ConfigMapSearch } from './config-search.ts'
import classes from './features-toolbar.module.css'

const RemovedRecords = lazyPart(() =>
  import('#web/records/removed-records.tsx').then((module) => module.RemovedRecords),
)

type ToolbarProps = {
  query: TableQuery
  filters: Filters
  columns: TableColumns
  exported: Exported
  update(changes: Partial<ConfigMapSearch>): void
  /** Selected rows have their own bar in its place. */
  isHidden: boolean
  /** Null for users who may not edit. */
  editing: { addButton: ReactNode; onShow(id: string): void } | null
}

export function FeaturesToolbar({
  query,
  filters,
  columns,
  exported,
  update,
  isHidden,
  editing,
}: ToolbarProps) {
  const isPhone = useIsPhone()
  const searchRef = useRef<HTMLInputElement>(null)
  useShortcuts({ search: () => searchRef.current?.focus() })
  return (
    <div className={classes.toolbar} data-hidden={isHidden || undefined}>
      <SearchBox
        inputRef={searchRef}
        className={classes.search}
        label="Search features"
        placeholder="Search"
        text={query.text}
        onSearch={(text) => update({ text })}
      />
      <FiltersMenu
        mapId={exported.mapId}
        query={query}
        filters={filters}
        found={exported.count}
        update={update}
      />
      <SortMenu sort={query.sort} columns={columns} onSort={(sort) => update({ sort })} />
      {!isPhone && <ColumnsMenu columns={columns} />}
      <MoreMenu exported={exported} onShow={editing?.onShow} />
      {editing?.addButton}
    </div>
  )
}

const kindChoices = recordOf(featureKinds, (kind) => kindLabels[kind].many)

type FiltersMenuProps = Pick<ToolbarProps, 'query' | 'filters' | 'update'> & {
  mapId: string
  found: number | undefined
}

/** In a popover; on phones, a whole screen. */
function FiltersMenu(props: FiltersMenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  const chosen = [props.query.kind, ...Object.values(props.filters)].filter((value) => value !== undefined)
  const isPhone = useIsPhone()
  const label = chosen.length === 0 ? 'Filters' : `Filters, ${chosen.length} active`
  const content = <FiltersOfTable {...props} isOpen={isOpen} isAny={chosen.length > 0} />
  if (isPhone)
    return (
      <>
        <ActionIcon variant="default" size={44} aria-label={label} onClick={() => setIsOpen(true)}>
          <Indicator label={chosen.length} size={16} disabled={chosen.length === 0} color="var(--accent)">
            <IconFilter size={20} aria-hidden="true" />
          </Indicator>
        </ActionIcon>
        <SideDialog label="Filters" from="bottom" isOpen={isOpen} onClose={() => setIsOpen(false)}>
          {() => (
            <>
              {content}
              <ShowResults count={props.found} onShow={() => setIsOpen(false)} />
            </>
          )}
        </SideDialog>
      </>
    )
  return (
    <Popover onChange={setIsOpen} position="bottom-start" trapFocus returnFocus shadow="sm">
      <Popover.Target>
        <Button
          variant={chosen.length === 0 ? 'default' : 'light'}
          px={10}
          flex="none"
          leftSection={<IconFilter size={16} aria-hidden="true" />}
          aria-label={label}
        >
          Filters{chosen.length > 0 && ` (${chosen.length})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters">{content}</Popover.Dropdown>
    </Popover>
  )
}

type FiltersOfTableProps = FiltersMenuProps & { isOpen: boolean; isAny: boolean }

function FiltersOfTable({ mapId, query, filters, update, isOpen, isAny }: FiltersOfTableProps) {
  const { kind, text } = query
  const groups = useQuery({ ...filterCountsQuery(mapId, text), enabled: isOpen }).data?.groups
  return (
    <div className={classes.filters}>
      <FilterSelect
        label="Kind"
        all="All kinds"
        choices={kindChoices}
        counts={groups && countChoices(groups, 'kind', featureKinds, filters)}
        value={kind}
        onChange={(value) => update({ ...noFilters, kind: featureKinds.find((one) => one === value) })}
      />
      <FilterFields mapId={mapId} kind={kind} filters={filters} text={text} onFiltersChange={update} />
      <Button
        variant="subtle"
        size="compact-sm"
        aria-disabled={!isAny}
        data-disabled={!isAny || undefined}
        onClick={() => update({ ...noFilters, kind: undefined })}
      >
        Clear filters
      </Button>
    </div>
  )
}

type SortMenuProps = { sort: FeatureSort; columns: TableColumns; onSort(sort: FeatureSort | undefined): void }

function SortMenu({ sort, columns, onSort }: SortMenuProps) {
  const labels = new Map([...columns.columns, ...columns.choosable].map(({ id, label }) => [id, label]))
  const isDefault = sort === firstFeatureSort
  return (
    <IconMenu label="Sort" Icon={IconSortDescending}>
      <Menu.Item leftSection={<Mark Icon={isDefault ? IconCheck : null} />} onClick={() => onSort(undefined)}>
        Needs attention first
        {isDefault && <VisuallyHidden>, selected</VisuallyHidden>}
      </Menu.Item>
      {featureSortColumns.flatMap((column) => {
        if (column === firstFeatureSort) return []
        const direction = directionOf(sort, column)
        const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: null }[direction]
        return (
          <Menu.Item
            key={column}
            leftSection={<Mark Icon={Icon} />}
            onClick={() => onSort(direction === 'ascending' ? `-${column}` : column)}
          >
            {labels.get(column)}
            {Icon && <VisuallyHidden>, {direction}</VisuallyHidden>}
          </Menu.Item>
        )
      })}
    </IconMenu>
  )
}

type IconMenuProps = { label: string; Icon: typeof IconCheck; children: ReactNode }

function IconMenu({ label, Icon, children }: IconMenuProps) {
  const isPhone = useIsPhone()
  return (
    <Menu position="bottom-end" withinPortal returnFocus>
      <Menu.Target>
        <ActionIcon {...tip(label)} variant="default" size={isPhone ? 44 : 36} aria-label={label}>
          <Icon size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

const Mark = ({ Icon }: { Icon: typeof IconCheck | null }) => (
  <span className={classes.mark}>{Icon && <Icon size={16} aria-hidden="true" />}</span>
)

function MoreMenu({ exported, onShow }: { exported: Exported; onShow: ((id: string) => void) | undefined }) {
  const openExport = useOpenExport()
  const [isRemovedOpen, setIsRemovedOpen] = useState(false)
  return (
    <>
      <IconMenu label="More" Icon={IconDots}>
        <Menu.Item
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          disabled={!exported.count}
          onClick={() => openExport(exported)}
        >
          Export…
        </Menu.Item>
        {onShow && (
          <Menu.Item
            leftSection={<IconRestore size={16} aria-hidden="true" />}
            onClick={() => setIsRemovedOpen(true)}
          >
            Recently removed…
          </Menu.Item>
        )}
      </IconMenu>
      {onShow && (
        <Guard what="The list of removed records" layout="inline" waiting={null}>
          <RemovedRecords
            mapId={exported.mapId}
            isOpen={isRemovedOpen}
            onClose={() => setIsRemovedOpen(false)}
            onShow={onShow}
          />
        </Guard>
      )}
    </>
  )
}
