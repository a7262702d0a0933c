import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import type { FeatureSort } from '#domain/features/feature-sort.ts'
import {
  featurePositionQuery,
  featureTableQuery,
  type TableQuestion,
  tablePageSize,
} from '#web/api/features.api.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import classes from './feature-table.module.css'
import { FeatureTableHead } from './feature-table-head.tsx'
import { FeatureTableRow, firstRowNumber } from './feature-table-row.tsx'
import { useActiveRow } from './use-active-row.ts'
import type { RowMarking } from './use-row-marks.ts'

type FeatureTableProps = {
  mapId: string
  question: TableQuestion
  selectedId: string | undefined
  mayEdit: boolean
  /** Undefined: rows are not marked. */
  marking?: RowMarking | undefined
  /** What stands there instead of no rows at all. */
  whenEmpty: ReactNode
  onSelect(feature: FeatureSummary): void
  /** Enter was pressed on a row: whoever did so wants to be in the details. */
  onOpen(feature: FeatureSummary): void
  onSort(sort: FeatureSort | undefined): void
}

/** With less room a row has two lines; with even less, only what matters most. Pixels. */
const layouts = [
  { name: 'wide', from: 720 },
  { name: 'narrow', from: 320 },
  { name: 'tight', from: 0 },
] as const
const rowHeights = { wide: 44, narrow: 60, tight: 60, phone: 76 }

/**
 * Every feature of the map under the question. Only the rows in view are in the page, and only their parts are
 * asked for: so it makes no difference how many there are.
 */
export function FeatureTable({ mapId, question, selectedId, mayEdit, marking, ...table }: FeatureTableProps) {
  const gridId = useId()
  const rowId = (index: number) => `${gridId}-${index}`
  const gridRef = useRef<HTMLTableElement>(null)
  const scrollRef = useRef<HTMLDivElement>(null)
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>()
  const boxRef = useMergedRef(scrollRef, sizeRef)
  const { ref: headRef, height: headHeight } = useElementSize<HTMLTableSectionElement>()
  const isPhone = useIsPhone()
  const layout = layouts.find(({ from }) => width >= from)?.name ?? 'tight'
  const rowHeight = rowHeights[isPhone && layout !== 'wide' ? 'phone' : layout]
  const first = useQuery(featureTableQuery(mapId, question, 0))
  const [lastTotal, setLastTotal] = useState(0)
  const total = first.data?.total ?? lastTotal
  if (total !== lastTotal) setLastTotal(total)
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // The head stands before the first row, and over whatever has been scrolled under it.
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights that are known are not asked for again
  useEffect(() => virtualizer.measure(), [rowHeight])
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
  const { sort, ...filters } = question
  const { activeIndex, activate, selectHere, onKeyDown, scrolling } = useActiveRow({
    count: total,
    rowsPerScreen: 10,
    selectedId,
    selectedIndex: index,
    question: JSON.stringify(filters),
    scrollTo: (row) => virtualizer.scrollToIndex(row, { align: 'auto' }),
    onEnter: (row, key) => select(row, key === 'Enter' ? table.onOpen : table.onSelect),
  })
  const controls = useRowControls({ gridRef, rowId, activeIndex, activate, move })

  /** As in any grid: Shift and Space mark a row, Shift and an arrow the next one too, Ctrl+A all. */
  function move(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey } = event
    if (marking && shiftKey && key === ' ') mark(activeIndex, false)
    else if (marking && (ctrlKey || metaKey) && key.toLowerCase() === 'a') marking.all()
    else {
      if (marking && shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
        if (!marking.isAny) mark(activeIndex, false)
        const next = activeIndex + (key === 'ArrowDown' ? 1 : -1)
        if (next >= 0 && next < total) marking.extend(next)
      }
      onKeyDown(event)
      return
    }
    event.preventDefault()
  }
  function mark(row: number, isRange: boolean): void {
    const feature = rowAt(row)
    if (!marking || !feature) return
    activate(row)
    if (isRange) marking.extend(row)
    else marking.toggle(feature, row)
  }

  function select(row: number, then: (feature: FeatureSummary) => void): void {
    const feature = rowAt(row)
    if (!feature) return
    selectHere(feature.id, row)
    then(feature)
  }

  // Another order is looked at from its beginning.
  const sortedBy = useRef(sort)
  useEffect(() => {
    if (sortedBy.current === sort) return
    sortedBy.current = sort
    activate(0)
    scrollRef.current?.scrollTo({ top: 0 })
  }, [sort, activate])

  if (failed)
    return (
      <ErrorState
        title="The features could not be loaded."
        error={failed.error}
        onRetry={() => failed.refetch()}
      />
    )
  if (first.data && total === 0) return <div className={classes.empty}>{table.whenEmpty}</div>

  const isActiveInPage = rows.some((row) => row.index === activeIndex)
  const before = (rows[0]?.start ?? headHeight) - headHeight
  const after = virtualizer.getTotalSize() + headHeight - (rows.at(-1)?.end ?? headHeight)
  return (
    <div
      ref={boxRef}
      className={classes.scroll}
      data-layout={layout}
      data-markable={marking !== undefined || undefined}
      {...scrolling}
    >
      <table
        ref={gridRef}
        className={classes.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows can be moved through
        role="grid"
        aria-label="Features"
        aria-rowcount={total + 1}
        aria-busy={first.isPending}
        aria-activedescendant={isActiveInPage ? rowId(activeIndex) : undefined}
        tabIndex={0}
        {...controls}
      >
        <FeatureTableHead headRef={headRef} sort={sort} onSort={table.onSort} />
        <tbody>
          <Spacer height={before} />
          {rows.map((row) => (
            <FeatureTableRow
              // Not by its place: a control that has the focus would become that of another feature.
              key={rowAt(row.index)?.id ?? row.key}
              id={rowId(row.index)}
              mapId={mapId}
              index={row.index}
              height={rowHeight}
              feature={rowAt(row.index)}
              isSelected={selectedId !== undefined && rowAt(row.index)?.id === selectedId}
              isActive={row.index === activeIndex}
              mayEdit={mayEdit}
              isMarked={marking ? marking.has(rowAt(row.index)?.id ?? '') : undefined}
              onMark={(isRange) => mark(row.index, isRange)}
              onSelect={() => select(row.index, table.onSelect)}
            />
          ))}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
  )
}

type RowControlsOptions = {
  gridRef: React.RefObject<HTMLTableElement | null>
  rowId(index: number): string
  activeIndex: number
  activate(index: number): void
  move(event: KeyboardEvent): void
}

/**
 * Within the grid the arrow keys lead everywhere, so that Tab does not go through all rows: to the right into the
 * control of the active row, to the left and by Esc out of it, up and down to the control of the next row.
 */
function useRowControls({ gridRef, rowId, activeIndex, activate, move }: RowControlsOptions) {
  /** The row that becomes active may come into the page late. */
  const [isAwaited, setIsAwaited] = useState(false)
  const hasControl = useRef(false)
  const focusControl = (row: Element | null) => row?.querySelector('select')?.focus()

  useEffect(() => {
    const row = document.getElementById(rowId(activeIndex))
    if (!isAwaited || !row) return
    setIsAwaited(false)
    focusControl(row)
  })
  // The row of a control went elsewhere: whoever was in it stays in the grid.
  useEffect(() => {
    if (hasControl.current && document.activeElement === document.body) gridRef.current?.focus()
  })

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>): void {
    const { key, target, currentTarget } = event
    if (target instanceof HTMLSelectElement) {
      if (key === 'ArrowUp' || key === 'ArrowDown') {
        currentTarget.focus()
        setIsAwaited(true)
        move(event)
      } else if (key === 'ArrowLeft' || key === 'Escape') currentTarget.focus()
      else if (key === 'Enter') target.showPicker()
      else return
      event.preventDefault()
    } else if (target === currentTarget) {
      if (key === 'ArrowRight') focusControl(document.getElementById(rowId(activeIndex)))
      else move(event)
    }
  }

  /** Whoever is in a control is on its row; a row that was pressed leaves the focus to the grid. */
  function onFocus({ target, currentTarget }: FocusEvent<HTMLTableElement>): void {
    const row = target.closest('tbody [aria-rowindex]')
    hasControl.current = target instanceof HTMLSelectElement
    if (!row) return
    activate(Number(row.getAttribute('aria-rowindex')) - firstRowNumber)
    if (row === target) currentTarget.focus()
  }
  return {
    onKeyDown,
    onFocus,
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) hasControl.current = false
    },
  }
}

/** Stands for the rows that are out of view. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr aria-hidden style={{ height }} /> : null
}

/** Always the first, which says how many rows there are. */
function pagesOf(indexes: readonly number[]): number[] {
  return [...new Set([0, ...indexes.map((index) => Math.floor(index / tablePageSize))])]
}
