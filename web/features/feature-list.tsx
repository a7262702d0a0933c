import { Button, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { type FeatureQuestion, featureListQuery } from '#web/api/features.api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import classes from './feature-list.module.css'
import { FeatureRow } from './feature-row.tsx'

const estimatedRowHeight = 84
const rowsAhead = 10

type FeatureListProps = {
  mapId: string
  label: string
  /** What stands in the place of a list without rows. */
  emptyText: string
  look: 'types' | 'shapes'
  question: FeatureQuestion
  selectedId: string | undefined
  onSelect(feature: FeatureSummary): void
  /** Undefined while nothing narrows the list. */
  onClearFilters: (() => void) | undefined
}

/** The map's accessible twin: everything that is on it, in order, fed page by page. */
export function FeatureList(props: FeatureListProps) {
  const { mapId, label, emptyText, look, question, selectedId, onSelect, onClearFilters } = props
  const list = useInfiniteQuery(featureListQuery(mapId, question))
  if (list.isPending) return <ListSkeleton />
  if (list.isError && !list.data)
    return (
      <ErrorState title="The list could not be loaded." error={list.error} onRetry={() => list.refetch()} />
    )

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
      </div>
    )
  return (
    <Rows
      label={label}
      look={look}
      features={features}
      total={total}
      selectedId={selectedId}
      onSelect={onSelect}
      onNearEnd={() => {
        // Asking twice must not cancel the first answer.
        if (list.hasNextPage && !list.isError) void list.fetchNextPage({ cancelRefetch: false })
      }}
      footer={
        list.isError ? (
          <ErrorState
            title="More could not be loaded."
            error={list.error}
            onRetry={() => list.fetchNextPage()}
          />
        ) : null
      }
    />
  )
}

type RowsProps = {
  label: string
  look: 'types' | 'shapes'
  features: FeatureSummary[]
  total: number
  selectedId: string | undefined
  onSelect(feature: FeatureSummary): void
  onNearEnd(): void
  footer: React.ReactNode
}

/** A listbox with one tab stop: arrows move through it, Enter selects. Only rows in view are in the page. */
function Rows({ label, look, features, total, selectedId, onSelect, onNearEnd, footer }: RowsProps) {
  const listId = useId()
  const scrollRef = useRef<HTMLDivElement>(null)
  const [activeIndex, setActiveIndex] = useState(0)
  const virtualizer = useVirtualizer({
    count: features.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => estimatedRowHeight,
    getItemKey: (index) => features[index]?.id ?? index,
    overscan: 6,
  })
  const rows = virtualizer.getVirtualItems()
  const lastShown = rows.at(-1)?.index ?? 0
  const isNearEnd = lastShown >= features.length - rowsAhead && features.length < total
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  })

  const selectedIndex = features.findIndex((feature) => feature.id === selectedId)
  useEffect(() => {
    if (selectedIndex < 0) return
    setActiveIndex(selectedIndex)
    virtualizer.scrollToIndex(selectedIndex, { align: 'auto' })
  }, [selectedIndex, virtualizer])

  function onKeyDown(event: KeyboardEvent) {
    const moves: Record<string, number> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: activeIndex + 8,
      PageUp: activeIndex - 8,
      Home: 0,
      End: features.length - 1,
    }
    const active = features[activeIndex]
    if ((event.key === 'Enter' || event.key === ' ') && active) onSelect(active)
    else if (event.key in moves) {
      const next = Math.max(0, Math.min(features.length - 1, moves[event.key] ?? 0))
      setActiveIndex(next)
      virtualizer.scrollToIndex(next, { align: 'auto' })
    } else return
    event.preventDefault()
  }

  const activeId = `${listId}-${features[activeIndex]?.id}`
  const isActiveInPage = rows.some((row) => row.index === activeIndex)
  return (
    <>
      <div
        ref={scrollRef}
        className={classes.scroll}
        role="listbox"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={isActiveInPage ? activeId : undefined}
        onKeyDown={onKeyDown}
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
                onClick={() => {
                  setActiveIndex(row.index)
                  onSelect(feature)
                }}
              >
                <FeatureRow feature={feature} look={look} />
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
