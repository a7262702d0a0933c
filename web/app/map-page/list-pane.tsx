import { Button, Checkbox, Tabs, VisuallyHidden } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, useEffect, useEffectEvent, useRef } from 'react'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import { featureKinds, featureShapes } from '#domain/definition/kinds.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { chosenTypes, type FilterQuery, type Filters, noFilters } from '#domain/features/filters.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { foldText } from '#domain/values/text.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { type FeaturePage, type FeatureQuery, featureListQuery } from '#web/api/features.api.ts'
import { FeatureList } from '#web/features/feature-list.tsx'
import { FiltersPanel, ShowResults } from '#web/features/filters-panel.tsx'
import { TypeIcon } from '#web/features/type-icon.tsx'
import { useIsLow } from '#web/ui/device.ts'
import { SearchBox } from '#web/ui/search-box.tsx'
import { ExportButton } from '#web/workspace/exporting/export-button.tsx'
import { SampleMark } from './association.tsx'
import classes from './list-pane.module.css'
import type { MapSearch } from './map-search.ts'
import type { GroupKey, MapVariant } from './map-variant.ts'

export type PaneProps = {
  mapId: string
  summary: MapSummary | undefined
  search: MapSearch
  filters: Filters
  filter: FilterQuery
  variant: MapVariant
  isVisible: Readonly<Record<string, boolean>>
  viewBox: string | null
  searchRef: Ref<HTMLInputElement>
  isSettled: boolean
  isPhone: boolean
  update(changes: Partial<MapSearch>): void
  onSelect(feature: FeatureSummary): void
  onOnlyMatch(feature: FeatureSummary): void
  onHelp(): void
  addButton: ReactNode
  /** Null where residents cannot report problems. */
  onReport: (() => void) | null
}

export const pageOf = ({ mapId, variant, onHelp }: Pick<PaneProps, 'mapId' | 'variant' | 'onHelp'>) => ({
  mapId,
  here: variant.styleName === 'shapes' ? ('viewer' as const) : ('map' as const),
  onHelp,
})

export function queryOf(group: GroupKey, { filters, filter, search, viewBox }: PaneProps): FeatureQuery {
  const { type, since, ...columnValues } = filter
  const common = {
    ...columnValues,
    text: search.text,
    ...(search.within === 'view' && viewBox !== null ? { bbox: viewBox } : {}),
  }
  const shape = featureShapes.find((candidate) => candidate === group)
  if (shape) return { ...common, shape, type, since }
  const kind = featureKinds.find((candidate) => candidate === group) ?? 'incident'
  return {
    ...common,
    kind,
    type: chosenTypes(filters).find((type) => type in kindTraits[kind].types),
    since: kindTraits[kind].isDated ? since : undefined,
  }
}

const nothingChosen: Partial<MapSearch> = {
  ...noFilters,
  text: undefined,
  within: undefined,
}

type ListPaneProps = PaneProps & {
  buttons?: ReactNode
}

export function ListPane({ buttons, ...props }: ListPaneProps) {
  const { mapId, variant, search, update, onSelect } = props
  const [firstGroup] = variant.groups
  const shownGroup = variant.groups.find(({ key }) => key === search.tab)
  const isFilters = variant.hasFiltersTab && search.tab === 'filters'
  const isLow = useIsLow()
  const hasFiltersTab = variant.hasFiltersTab && (isFilters || !isLow)
  const group = shownGroup ?? firstGroup
  const tab = isFilters ? 'filters' : group.key
  const query = queryOf(group.key, props)
  const { kind: _kind, shape: _shape, ...narrowing } = query
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined)
  const followMatches = useFollowMatches(props, isFilters ? undefined : group.key)
  const { data: listed } = useInfiniteQuery({ ...featureListQuery(mapId, query), enabled: false })
  const [firstPage] = listed?.pages ?? []
  const openTab = (key: MapSearch['tab']) => update({ tab: key === firstGroup.key ? undefined : key })
  const [firstMatch] = firstPage?.items ?? []
  return (
    <>
      <div className={classes.head}>
        <SearchBox
          className={classes.search}
          label="Search the list"
          inputRef={props.searchRef}
          text={props.search.text}
          onSearch={(text) => props.update({ text })}
          onEnter={() => firstMatch && search.text !== undefined && onSelect(firstMatch)}
        />
        {buttons}
        {props.onReport && (
          <Button
            className={classes.report}
            {...(props.isPhone && { 'aria-label': 'Report a problem' })}
            onClick={props.onReport}
          >
            {props.isPhone ? 'Report' : 'Report a problem'}
          </Button>
        )}
        {props.addButton}
      </div>
      {!props.isPhone && (
        <div className={classes.within}>
          <WithinView {...props} />
          <ExportList {...props} />
        </div>
      )}
      <Tabs
        className={classes.tabs}
        value={tab}
        onChange={(value) =>
          openTab(value === 'filters' ? value : variant.groups.find(({ key }) => key === value)?.key)
        }
        keepMounted={false}
      >
        <Tabs.List grow>
          {variant.groups.map(({ key, label }) => (
            <Tabs.Tab key={key} value={key}>
              {label}{' '}
              <Count
                mapId={mapId}
                query={queryOf(key, props)}
                isDue={props.isSettled || key === tab}
                onAnswer={(page) => followMatches(key, page)}
              />
            </Tabs.Tab>
          ))}
          {hasFiltersTab && (
            <Tabs.Tab value="filters">
              <FiltersLabel {...props} />
            </Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.list}>
          {isFilters ? (
            <div className={classes.filtersTab}>
              <PaneFilters {...props} />
              <ResetFilters {...props} />
            </div>
          ) : (
            <>
              {group.key === 'incident' && !isLow && firstPage?.total !== 0 && (
                <div className={classes.hint}>
                  <TypeIcon kind="incident" type="other" isResolved size={16} />
                  <span>
                    {props.isPhone
                      ? 'Hollow pins are resolved incidents.'
                      : 'The association’s land, assets and incidents. Hollow pins are resolved.'}
                  </span>
                  {props.isPhone && <SampleMark client={props.summary?.client} />}
                </div>
              )}
              <FeatureList
                key={tab}
                mapId={mapId}
                label={group.label}
                emptyText={group.emptyText}
                styleName={variant.styleName}
                query={query}
                selectedId={search.select}
                onSelect={onSelect}
                onClearFilters={isNarrowed ? () => update(nothingChosen) : undefined}
                matchesElsewhere={
                  isNarrowed &&
                  variant.groups.map(({ key, label }) => (
                    <ShowMatches
                      key={key}
                      mapId={mapId}
                      query={queryOf(key, props)}
                      label={label}
                      onShow={() => openTab(key)}
                    />
                  ))
                }
              />
            </>
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

function WithinView({ search, update }: PaneProps) {
  return (
    <Checkbox
      label="In this view only"
      checked={search.within === 'view'}
      onChange={(event) => update({ within: event.currentTarget.checked ? 'view' : undefined })}
    />
  )
}

function ExportList(props: PaneProps) {
  const { mapId, variant, search } = props
  const group = variant.groups.find(({ key }) => key === search.tab) ?? variant.groups[0]
  const query = queryOf(group.key, props)
  const { data } = useInfiniteQuery(featureListQuery(mapId, query))
  return (
    <ExportButton
      mapId={mapId}
      of={{ query }}
      count={data?.pages[0]?.total}
      variant="subtle"
      size="compact-sm"
    />
  )
}

/** A new search moves to the tab with the best matches, and the map to the only match. The user can go back. */
function useFollowMatches({ variant, search, update, onOnlyMatch }: PaneProps, tab: string | undefined) {
  const { text } = search
  const found = useRef({ text, isDone: true, pages: new Map<string, FeaturePage>() })
  return (key: string, page: FeaturePage) => {
    if (found.current.text !== text) found.current = { text, isDone: text === undefined, pages: new Map() }
    const { isDone, pages } = found.current
    pages.set(key, page)
    if (isDone || tab === undefined || pages.size < variant.groups.length) return
    found.current.isDone = true
    const [only, ...more] = [...pages.values()].flatMap(({ items }) => items)
    if (only && more.length === 0) onOnlyMatch(only)
    const rankOf = (group: string) => matchRank(pages.get(group), text ?? '')
    const most = Math.max(...[...pages.keys()].map(rankOf))
    if (rankOf(tab) === most) return
    const matching = variant.groups.find((group) => rankOf(group.key) === most)
    update({ tab: matching === variant.groups[0] ? undefined : matching?.key })
  }
}

/** 2 if a name contains the text that is searched for, 1 if there are other matches. */
function matchRank(page: FeaturePage | undefined, text: string): 0 | 1 | 2 {
  if (!page || page.total === 0) return 0
  const sought = foldText(text)
  return page.items.some(({ name }) => foldText(name).includes(sought)) ? 2 : 1
}

type ShowMatchesProps = { mapId: string; query: FeatureQuery; label: string; onShow(): void }

/** The filters may match features of other tabs only. Their counts are already loaded. */
function ShowMatches({ mapId, query, label, onShow }: ShowMatchesProps) {
  const { data } = useInfiniteQuery({ ...featureListQuery(mapId, query), enabled: false })
  const total = data?.pages[0]?.total ?? 0
  if (total === 0) return null
  return (
    <Button variant="default" size="xs" onClick={onShow}>
      Show {label.toLowerCase()} ({formatNumber(total)})
    </Button>
  )
}

type CountProps = { mapId: string; query: FeatureQuery; isDue: boolean; onAnswer(page: FeaturePage): void }

function Count({ mapId, query, isDue, onAnswer }: CountProps) {
  const list = useInfiniteQuery({ ...featureListQuery(mapId, query), enabled: isDue })
  const { data, isPlaceholderData } = list
  const total = data?.pages[0]?.total
  const answer = useEffectEvent(onAnswer)
  useEffect(() => {
    const [first] = data?.pages ?? []
    if (first && !isPlaceholderData) answer(first)
  }, [data, isPlaceholderData])
  return total === undefined ? null : <span className={classes.count}>{formatNumber(total)}</span>
}

export function PaneFilters(props: PaneProps) {
  const { variant, filters, isVisible, update } = props
  return (
    <>
      {props.isPhone && (
        <div className={classes.within}>
          <WithinView {...props} />
          <ExportList {...props} />
        </div>
      )}
      <FiltersPanel
        mapId={props.mapId}
        text={props.search.text}
        filters={filters}
        onFiltersChange={update}
        layers={variant.groups}
        isVisible={isVisible}
        onVisibleChange={(changed, isShown) => {
          const off = variant.groups
            .map(({ key }) => key)
            .filter((key) => (key === changed ? !isShown : !isVisible[key]))
          update({ off: off.join(',') || undefined })
        }}
      />
    </>
  )
}

function countInUse({ variant, filters, isVisible, isPhone, search }: PaneProps): number {
  const layersOff = variant.groups.filter(({ key }) => !isVisible[key])
  const isNarrowed = isPhone && search.within === 'view'
  return (
    layersOff.length +
    Object.values(filters).filter((chosen) => chosen !== undefined).length +
    Number(isNarrowed)
  )
}

export function FiltersLabel(props: PaneProps) {
  const count = countInUse(props)
  return (
    <span>
      Layers & Filters{' '}
      {count > 0 && (
        <span className={classes.inUse}>
          {count}
          <VisuallyHidden component="span"> active</VisuallyHidden>
        </span>
      )}
    </span>
  )
}

export function FiltersIcon(props: PaneProps) {
  const count = countInUse(props)
  return (
    <>
      <IconAdjustments size={20} aria-hidden="true" />
      {count > 0 && (
        <span className={classes.inUse} data-on-icon aria-hidden="true">
          {count}
        </span>
      )}
      <VisuallyHidden>Layers & Filters{count > 0 && ` ${count} active`}</VisuallyHidden>
    </>
  )
}

export function ResetFilters(props: PaneProps) {
  if (countInUse(props) === 0) return null
  return (
    <Button
      className={classes.reset}
      variant="subtle"
      size="compact-sm"
      aria-label="Reset layers and filters"
      onClick={() =>
        props.update({ ...noFilters, off: undefined, ...(props.isPhone && { within: undefined }) })
      }
    >
      Reset
    </Button>
  )
}

export function ShowFound({ onShow, ...props }: PaneProps & { onShow(): void }) {
  const { mapId, variant, search } = props
  const group = variant.groups.find(({ key }) => key === search.tab) ?? variant.groups[0]
  const { data } = useInfiniteQuery(featureListQuery(mapId, queryOf(group.key, props)))
  return <ShowResults count={data?.pages[0]?.total} onShow={onShow} />
}
