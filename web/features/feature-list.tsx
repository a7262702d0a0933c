import { Button, Skeleton } from '@mantine/core'
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { cutText } from '#domain/values/text.ts'
import {
  type FeaturePage,
  type FeatureQuery,
  featureListQuery,
  featurePositionQuery,
} from '#web/api/features.api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { markOnce } from '#web/ui/mark-once.ts'
import { formatLand, otherUnits, readersUnits } from '#web/ui/measures.ts'
import { printedCount, useIsPrinting, useOverscan } from '#web/ui/printing.ts'
import { exactTime, localDay, relativeTime } from '#web/ui/relative-time.ts'
import { useUnsavedRecords } from '#web/ui/unsaved/unsaved-records.ts'
import { SeverityBadge, StatusBadge, UnsavedBadge } from './badges.tsx'
import classes from './feature-list.module.css'
import { ShapeIcon } from './shape-icon.tsx'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'
import { useActiveRow } from './use-active-row.ts'

const estimatedRowHeight = 100
const rowsAhead = 10

type FeatureListProps = {
  mapId: string
  label: string
  emptyText: string
  styleName: 'types' | 'shapes'
  query: FeatureQuery
  selectedId: string | undefined
  onSelect(feature: FeatureSummary): void
  onClearFilters: (() => void) | undefined
  /** Shown while the list is empty. */
  matchesElsewhere: ReactNode
}

type List = UseInfiniteQueryResult<InfiniteData<FeaturePage>>

/** The accessible alternative to the map: all its features in order, loaded page by page. */
export function FeatureList(props: FeatureListProps) {
  const { mapId, label, emptyText, styleName, query, selectedId, onSelect, onClearFilters } = props
  const list = useInfiniteQuery(featureListQuery(mapId, query))
  useFetchUpTo(props, list)
  if (list.isPending) return <ListSkeleton />
  if (list.isError && !list.data)
    return <ErrorState title="Could not load the list." error={list.error} onRetry={() => list.refetch()} />

  const features = list.data.pages.flatMap((page) => page.items)
  const total = list.data.pages[0]?.total ?? 0
  if (total === 0)
    return (
      <div className={classes.empty}>
        <p>{emptyText}</p>
        {onClearFilters && (
          <Button variant="default" size="xs" onClick={onClearFilters}>
            Clear filters and search
          </Button>
        )}
        {props.matchesElsewhere}
      </div>
    )
  return (
    <Rows
      mapId={mapId}
      label={label}
      styleName={styleName}
      query={JSON.stringify(query)}
      isPrevious={list.isPlaceholderData}
      features={features}
      total={total}
      selectedId={selectedId}
      onSelect={onSelect}
      isLoadingMore={list.isFetchingNextPage}
      onNearEnd={() => {
        // A second fetch must not cancel the first.
        if (list.hasNextPage && !list.isError) void list.fetchNextPage({ cancelRefetch: false })
      }}
      footer={
        list.isError ? (
          <ErrorState title="Could not load more." error={list.error} onRetry={() => list.fetchNextPage()} />
        ) : null
      }
    />
  )
}

/** Longer lists do not follow a selection far down. */
const maxRowsFollowed = 1_000

/** A feature selected on the map may be below the loaded rows: load the rows up to it. */
function useFetchUpTo(
  { mapId, query, selectedId = '' }: FeatureListProps,
  { data, isPlaceholderData, hasNextPage, isFetching, isError, fetchNextPage }: List,
): void {
  const isHere = data?.pages.some(({ items }) => items.some(({ id }) => id === selectedId))
  const isShort = (data?.pages[0]?.total ?? 0) <= maxRowsFollowed
  const isSought = selectedId !== '' && !isHere && !isPlaceholderData && hasNextPage && isShort
  const position = useQuery({ ...featurePositionQuery(mapId, selectedId, query), enabled: isSought })
  const isBelow = isSought && typeof position.data?.position === 'number'
  useEffect(() => {
    if (isBelow && !isFetching && !isError) void fetchNextPage()
  }, [isBelow, isFetching, isError, fetchNextPage])
}

type RowsProps = {
  mapId: string
  label: string
  styleName: 'types' | 'shapes'
  query: string
  isPrevious: boolean
  features: FeatureSummary[]
  total: number
  selectedId: string | undefined
  onSelect(feature: FeatureSummary): void
  isLoadingMore: boolean
  onNearEnd(): void
  footer: React.ReactNode
}

/** A listbox with one tab stop: arrows move through it, Enter selects. Only rows in view are mounted. */
function Rows(props: RowsProps) {
  const { mapId, label, styleName, query, isPrevious, features, total, selectedId } = props
  const { onSelect, isLoadingMore, onNearEnd, footer } = props
  const isUnsaved = useUnsavedRecords(mapId)
  const listId = useId()
  const scrollRef = useRef<HTMLDivElement>(null)
  const isPrinting = useIsPrinting()
  const virtualizer = useVirtualizer({
    count: features.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => estimatedRowHeight,
    getItemKey: (index) => features[index]?.id ?? index,
    overscan: useOverscan(6),
  })
  const hasDescription = features.some(({ date, description }) => date !== null || description !== '')
  const rows = virtualizer.getVirtualItems()
  const lastShown = rows.at(-1)?.index ?? 0
  const isNearEnd = lastShown >= features.length - rowsAhead && features.length < total
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  })

  const isReadable = rows.length > 0
  useEffect(() => {
    if (isReadable) markOnce('list-readable')
  }, [isReadable])

  const selectedIndex = features.findIndex((feature) => feature.id === selectedId)
  const { activeIndex, selectHere, onKeyDown, scrolling } = useActiveRow({
    count: features.length,
    rowsPerScreen: 8,
    selectedId,
    selectedIndex: selectedIndex < 0 || isPrevious ? null : selectedIndex,
    query,
    scrollTo: (row) => virtualizer.scrollToIndex(row, { align: 'auto' }),
    onEnter: select,
  })

  function select(row: number): void {
    const feature = features[row]
    if (!feature) return
    selectHere(feature.id, row)
    onSelect(feature)
  }

  const activeId = `${listId}-${features[activeIndex]?.id}`
  const isActiveInPage = rows.some((row) => row.index === activeIndex)
  return (
    <>
      {isPrinting && (
        <h2>
          {label}: {printedCount(features.length, total)}
        </h2>
      )}
      <div
        ref={scrollRef}
        className={classes.scroll}
        role="listbox"
        aria-label={label}
        aria-busy={isLoadingMore}
        tabIndex={0}
        aria-activedescendant={isActiveInPage ? activeId : undefined}
        onKeyDown={onKeyDown}
        {...scrolling}
      >
        <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }} role="presentation">
          {rows.map((row) => {
            const feature = features[row.index]
            if (!feature) return null
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox around it has the focus and the keys
              <div
                key={row.key}
                id={`${listId}-${feature.id}`}
                ref={virtualizer.measureElement}
                data-index={row.index}
                data-active={row.index === activeIndex || undefined}
                className={classes.row}
                style={{ transform: `translateY(${row.start}px)` }}
                role="option"
                tabIndex={-1}
                aria-selected={feature.id === selectedId}
                aria-setsize={total}
                aria-posinset={row.index + 1}
                onClick={() => select(row.index)}
              >
                <FeatureRow
                  feature={feature}
                  styleName={styleName}
                  isSelected={feature.id === selectedId}
                  isUnsaved={isUnsaved(feature.id)}
                  hasDescription={hasDescription}
                />
              </div>
            )
          })}
        </div>
      </div>
      {footer}
    </>
  )
}

function ListSkeleton() {
  return (
    <div className={classes.skeletons} role="status" aria-label="Loading">
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <div key={row} className={classes.skeleton}>
          <Skeleton circle height={28} />
          <div>
            <Skeleton height={12} width="70%" />
            <Skeleton height={10} width="45%" mt={8} />
            <Skeleton height={10} width="90%" mt={8} />
          </div>
        </div>
      ))}
    </div>
  )
}

type FeatureRowProps = {
  feature: FeatureSummary
  styleName: 'types' | 'shapes'
  isSelected: boolean
  isUnsaved: boolean
  hasDescription: boolean
}

function FeatureRow({ feature, styleName, isSelected, isUnsaved, hasDescription }: FeatureRowProps) {
  const { kind, shape, type, status, severity, date, description } = feature
  const isPrinting = useIsPrinting()
  const name = feature.name || 'Untitled'
  const isResolved = status === 'resolved'
  return (
    <>
      {styleName === 'types' ? (
        <TypeIcon kind={kind} type={type} isResolved={isResolved} isSelected={isSelected} />
      ) : (
        <ShapeIcon kind={kind} shape={shape} type={type} />
      )}
      <span className={classes.text} data-dimmed={isResolved || undefined}>
        <span className={classes.title} title={name}>
          {name}
        </span>
        <span className={classes.meta}>
          {isUnsaved && <UnsavedBadge />}
          {feature.area === null && feature.owner === null ? (
            <span>{typeLabel(kind, type)}</span>
          ) : (
            <LandFacts land={feature} />
          )}
          {kindTraits[kind].hasSeverity && (isResolved || status === 'unresolved') && (
            <SeverityBadge severity={severity} standsAlone />
          )}
          {status !== null && status !== 'unresolved' && <StatusBadge status={status} />}
        </span>
        {hasDescription && (
          <span className={classes.description}>
            {date !== null && (
              <time dateTime={date} title={exactTime(date)}>
                {isPrinting ? localDay(date) : relativeTime(date)}
              </time>
            )}
            {date !== null && description !== '' && ' · '}
            {isPrinting ? description : cutText(description)}
          </span>
        )}
      </span>
    </>
  )
}

function LandFacts({ land: { area, owner } }: { land: FeatureSummary }) {
  const units = readersUnits()
  return (
    <>
      {area !== null && (
        <span className={classes.amount} title={formatLand(area, otherUnits(units))}>
          {formatLand(area, units)}
        </span>
      )}
      {owner !== null && <span title={owner}>{owner}</span>}
    </>
  )
}
