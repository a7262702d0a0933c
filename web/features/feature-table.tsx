import { useQueries, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useRef, useState } from 'react'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import type { FeatureSort } from '#domain/features/feature-sort.ts'
import {
  featurePositionQuery,
  featureTableQuery,
  type TableQuestion,
  tablePageSize,
} from '#web/api/features.api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import classes from './feature-table.module.css'
import { FeatureTableHead } from './feature-table-head.tsx'
import { FeatureTableRow, rowHeight } from './feature-table-row.tsx'
import { useActiveRow } from './use-active-row.ts'

type FeatureTableProps = {
  mapId: string
  question: TableQuestion
  selectedId: string | undefined
  mayEdit: boolean
  onSelect(feature: FeatureSummary): void
  onSort(sort: FeatureSort | undefined): void
}

/**
 * Every feature of the map under the question. Only the rows in view are in the page, and only their parts are
 * asked for: so it makes no difference how many there are.
 */
export function FeatureTable({ mapId, question, selectedId, mayEdit, onSelect, onSort }: FeatureTableProps) {
  const gridId = useId()
  const scrollRef = useRef<HTMLDivElement>(null)
  const first = useQuery(featureTableQuery(mapId, question, 0))
  const [lastTotal, setLastTotal] = useState(0)
  const total = first.data?.total ?? lastTotal
  if (total !== lastTotal) setLastTotal(total)
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The head is as high as a row: it stands before the first, and over whatever has been scrolled under it.
    scrollMargin: rowHeight,
    scrollPaddingStart: rowHeight,
  })
  const rows = virtualizer.getVirtualItems()
  const pages = pagesOf(rows.map((row) => row.index))
  const answers = useQueries({ queries: pages.map((page) => featureTableQuery(mapId, question, page)) })
  const failed = [first, ...answers].find((answer) => answer.isError && !answer.data)

  function rowAt(index: number): FeatureSummary | undefined {
    const page = Math.floor(index / tablePageSize)
    return answers[pages.indexOf(page)]?.data?.items[index % tablePageSize]
  }

  // Whatever was selected elsewhere, on the map say, comes into view once it is known where it stands.
  const position = useQuery({
    ...featurePositionQuery(mapId, selectedId ?? '', question),
    enabled: selectedId !== undefined,
  })
  const known = position.data?.position ?? null
  // The index may be known before the rows are.
  const index = known !== null && known < total ? known : null
  const { activeIndex, selectHere, onKeyDown, scrolling } = useActiveRow({
    count: total,
    rowsPerScreen: 10,
    selectedId,
    selectedIndex: index,
    question: JSON.stringify(question),
    scrollTo: (row) => virtualizer.scrollToIndex(row, { align: 'auto' }),
    onEnter: (row) => select(rowAt(row), row),
  })

  function select(feature: FeatureSummary | undefined, row: number): void {
    if (!feature) return
    selectHere(feature.id, row)
    onSelect(feature)
  }

  if (failed)
    return (
      <ErrorState
        title="The features could not be loaded."
        error={failed.error}
        onRetry={() => failed.refetch()}
      />
    )
  if (first.data && total === 0)
    return <p className={classes.empty}>No features found with the current filters.</p>

  const rowId = (index: number) => `${gridId}-${index}`
  const isActiveInPage = rows.some((row) => row.index === activeIndex)
  const before = (rows[0]?.start ?? rowHeight) - rowHeight
  const after = virtualizer.getTotalSize() + rowHeight - (rows.at(-1)?.end ?? rowHeight)
  return (
    <div ref={scrollRef} className={classes.scroll} {...scrolling}>
      <table
        className={classes.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows can be moved through
        role="grid"
        aria-label="Features"
        aria-rowcount={total + 1}
        aria-busy={first.isPending}
        aria-activedescendant={isActiveInPage ? rowId(activeIndex) : undefined}
        tabIndex={0}
        onKeyDown={(event) => {
          // Keys within a control of a row are the control's.
          if (event.target === event.currentTarget) onKeyDown(event)
        }}
      >
        <FeatureTableHead sort={question.sort} hasActions={mayEdit} onSort={onSort} />
        <tbody>
          <Spacer height={before} />
          {rows.map((row) => (
            <FeatureTableRow
              key={row.key}
              id={rowId(row.index)}
              mapId={mapId}
              index={row.index}
              feature={rowAt(row.index)}
              isSelected={selectedId !== undefined && rowAt(row.index)?.id === selectedId}
              isActive={row.index === activeIndex}
              mayEdit={mayEdit}
              onSelect={(feature) => select(feature, row.index)}
            />
          ))}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
  )
}

/** Stands for the rows that are out of view. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null
}

/** Always the first, which says how many rows there are. */
function pagesOf(indexes: readonly number[]): number[] {
  return [...new Set([0, ...indexes.map((index) => Math.floor(index / tablePageSize))])]
}
