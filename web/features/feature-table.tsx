import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import type { FeatureSort } from '#domain/features/feature-sort.ts'
import type { TableColumn } from '#domain/features/table-columns.ts'
import { featurePositionQuery, type TableQuery } from '#web/api/features.api.ts'
import { rem, textScale, useIsPhone } from '#web/ui/device.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { printedCount, useIsPrinting, useOverscan } from '#web/ui/printing.ts'
import classes from './feature-table.module.css'
import { FeatureTableHead } from './feature-table-head.tsx'
import { cellId, FeatureTableRow, type TypedCells } from './feature-table-row.tsx'
import { cardColumns, layoutFor } from './table-columns.ts'
import { useActiveRow } from './use-active-row.ts'
import { useCellCursor } from './use-cell-cursor.ts'
import { type EditedCell, type EditedPlace, seedOf, useCellEdit } from './use-cell-edit.ts'
import { useRowControls } from './use-row-controls.ts'
import type { RowMarking } from './use-row-marks.ts'
import type { TableColumns } from './use-table-columns.ts'
import { useRowCount, useTableRows } from './use-table-rows.ts'

type FeatureTableProps = {
  mapId: string
  query: TableQuery
  columns: TableColumns
  selectedId: string | undefined
  mayEdit: boolean
  marking?: RowMarking | undefined
  whenEmpty: ReactNode
  onSelect(feature: FeatureSummary): void
  onOpen(feature: FeatureSummary): void
  onSort(sort: FeatureSort | undefined): void
  renderEditor?: ((cell: EditedCell) => ReactNode) | undefined
  typedCells?: TypedCells | undefined
}

/** Pixels of text of the usual size. */
const rowHeights = { table: 44, cards: 60, phone: 76 }

export function FeatureTable(props: FeatureTableProps) {
  const { mapId, query, selectedId, mayEdit, marking, ...table } = props
  const gridId = useId()
  const rowId = (index: number) => `${gridId}-${index}`
  const gridRef = useRef<HTMLTableElement>(null)
  const scrollRef = useRef<HTMLDivElement>(null)
  const { ref: sizeRef, width, height: boxHeight } = useElementSize<HTMLDivElement>()
  const boxRef = useMergedRef(scrollRef, sizeRef)
  const { ref: headRef, height: headHeight } = useElementSize<HTMLTableSectionElement>()
  const isPhone = useIsPhone()
  const isPrinting = useIsPrinting()
  const scale = textScale()
  // Tables scroll sideways. The width is 0 until it is measured.
  const mayHaveCards = props.columns.isStandard && width > 0 && !isPrinting
  const layout = mayHaveCards ? layoutFor(width / scale) : 'table'
  const columns =
    layout === 'cards'
      ? { ...props.columns, columns: cardColumns(props.columns.columns, width / scale) }
      : props.columns
  const rowHeight = scale * rowHeights[isPhone && layout === 'cards' ? 'phone' : layout]
  const { first, total } = useRowCount(mapId, query, columns.fields)
  const [edited, setEdited] = useState<EditedPlace | null>(null)
  const virtualizer = useVirtualizer({
    count: total,
    // Keeps an edited row mounted when it is scrolled out of view.
    rangeExtractor(range) {
      const shown = defaultRangeExtractor(range)
      const isMissing = edited !== null && edited.index < total && !shown.includes(edited.index)
      return [...shown, ...(isMissing ? [edited.index] : [])].toSorted((one, other) => one - other)
    },
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowHeight,
    getItemKey: useRowKeys(rowHeight),
    overscan: useOverscan(12),
    // The sticky head covers rows that are scrolled under it.
    scrollMargin: headHeight,
  })
  const rows = virtualizer.getVirtualItems()
  const tableRows = useTableRows(
    mapId,
    query,
    columns.fields,
    rows.map((row) => row.index),
  )
  const { rowAt } = tableRows
  const failed = first.isError && !first.data ? first : tableRows.failed

  // A feature selected elsewhere, on the map for example, is scrolled into view once its position is loaded.
  const position = useQuery({
    ...featurePositionQuery(mapId, selectedId ?? '', query),
    enabled: selectedId !== undefined,
  })
  const loadedIndex = position.data?.position ?? null
  const isMeasured = width > 0
  // The position may be loaded before the rows, and before the head is measured.
  const index = loadedIndex !== null && loadedIndex < total && isMeasured ? loadedIndex : null
  const { sort, ...filters } = query
  const { activeIndex, activate, goTo, selectHere, onKeyDown, scrolling } = useActiveRow({
    count: total,
    rowsPerScreen: 10,
    selectedId,
    selectedIndex: index,
    query: JSON.stringify(filters),
    scrollTo: (row) => place.scrollTo(row),
    onEnter: (row, key) => select(row, key === 'Enter' ? table.onOpen : table.onSelect),
  })
  const place = useScrollPosition(gridRef, { rowHeight, headHeight, boxHeight }, activeIndex)
  const cursor = useCellCursor(columns.columns)
  const activeCell = cellId(rowId(activeIndex), cursor.column.id)
  function showActiveCell() {
    // Cells that stay at the left are always in view.
    if (cursor.column.id === 'kind' || cursor.column.id === 'name') scrollRef.current?.scrollTo({ left: 0 })
    void document.getElementById(activeCell)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are scrolled into view by `scrollTo`
  useEffect(showActiveCell, [cursor.column.id])
  const edit = useCellEdit({
    ...tableRows,
    edited,
    setEdited,
    isEditable: table.renderEditor !== undefined,
    columns: columns.columns,
    cursor,
    activeIndex,
    goTo,
    gridRef,
    typedCells: table.typedCells,
  })
  const controls = useRowControls({ gridRef, rowId, activeIndex, activate, move, cursor })

  /** Shift+Space, or Space on the box, marks a row, Shift+arrow the next one too, Ctrl+A all. */
  function move(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey } = event
    edit.clearNote()
    const isOnMark = cursor.column.id === 'kind'
    if (marking && key === ' ' && (shiftKey || isOnMark)) mark(activeIndex, false)
    else if (marking && (ctrlKey || metaKey) && key.toLowerCase() === 'a') marking.all()
    else if (!cursor.onKey(event) && !beginsEdit(event)) {
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

  /** Enter, F2 and typed text edit the active cell. Enter on the icon of a row opens its details instead. */
  function beginsEdit(event: KeyboardEvent): boolean {
    // A space marks or selects, except in text that is typed before the control has loaded.
    const seed = edited !== null && event.key === ' ' ? ' ' : seedOf(event)
    if (!table.renderEditor || seed === undefined || cursor.column.id === 'kind') return false
    edit.begin(activeIndex, cursor.column, seed)
    if (cursor.column.id === 'status') controls.enter(event.key === 'Enter')
    return true
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

  // Another sort order starts at the first row.
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

  // A row that is loading has no cells.
  const isComplete = rows.every((row) => rowAt(row.index) !== undefined)
  const hasActiveCell = rows.some((row) => row.index === activeIndex) && rowAt(activeIndex) !== undefined
  const before = (rows[0]?.start ?? headHeight) - headHeight
  const after = virtualizer.getTotalSize() + headHeight - (rows.at(-1)?.end ?? headHeight)
  return (
    <div
      ref={boxRef}
      className={classes.scroll}
      data-layout={layout}
      data-markable={marking !== undefined || undefined}
      style={
        {
          '--kind-column': rem(columns.columns[0]?.width ?? 0),
          '--name-column': rem(columns.columns[1]?.width ?? 0),
        } as CSSProperties
      }
      {...scrolling}
    >
      <table
        ref={gridRef}
        className={classes.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move through rows
        role="grid"
        aria-label="Features"
        aria-rowcount={total + 1}
        aria-busy={!isComplete}
        aria-colcount={columns.columns.length}
        aria-activedescendant={hasActiveCell ? activeCell : undefined}
        tabIndex={0}
        style={layout === 'cards' ? undefined : { minWidth: rem(widthOf(columns.columns)) }}
        {...controls.handlers}
        onFocus={(event) => {
          controls.handlers.onFocus(event)
          if (event.target === gridRef.current) showActiveCell()
        }}
        onBlur={(event) => {
          controls.handlers.onBlur(event)
          // Heads of columns scroll the table sideways while they have the focus.
          const isInHead = (element: Element | null) => element?.closest('thead') != null
          if (isInHead(event.target) && event.relatedTarget && !isInHead(event.relatedTarget))
            showActiveCell()
        }}
      >
        {isPrinting && <caption>Features: {printedCount(rows.length, total)}</caption>}
        {layout === 'table' && <Widths columns={columns} />}
        <FeatureTableHead
          headRef={headRef}
          columns={columns}
          marking={marking}
          sort={sort}
          onSort={table.onSort}
        />
        <tbody>
          <Spacer height={before} />
          {rows.map((row, place) => (
            // Keyed by feature: a focused control must not move to another feature.
            <Fragment key={rowAt(row.index)?.id ?? row.key}>
              <Spacer height={row.start - (rows[place - 1]?.end ?? row.start)} />
              <FeatureTableRow
                id={rowId(row.index)}
                mapId={mapId}
                columns={columns.columns}
                index={row.index}
                height={rowHeight}
                feature={rowAt(row.index)}
                isSelected={selectedId !== undefined && rowAt(row.index)?.id === selectedId}
                activeColumn={row.index === activeIndex ? cursor.column.id : undefined}
                mayEdit={mayEdit && !isPrinting}
                isMarked={marking && !isPrinting ? marking.has(rowAt(row.index)?.id ?? '') : undefined}
                onMark={(isRange) => mark(row.index, isRange)}
                onSelect={() => select(row.index, table.onSelect)}
                onCell={cursor.goTo}
                typedCells={table.typedCells}
                editor={editorIn(rowAt(row.index))}
                onEdit={(column) => edit.begin(row.index, column, null)}
              />
            </Fragment>
          ))}
          <Spacer height={after} />
        </tbody>
      </table>
      <p className={classes.note} role="status">
        {edit.note}
      </p>
    </div>
  )

  function editorIn(feature: FeatureSummary | undefined) {
    if (!edited || !table.renderEditor || feature?.id !== edited.id) return null
    const { column, seed } = edited
    return { column: column.id, content: table.renderEditor({ feature, column, seed, onEnd: edit.end }) }
  }
}

/** A new function for a new height: the virtualizer caches heights per function. */
function useRowKeys(rowHeight: number): (index: number) => number {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new height needs a new function
  return useCallback((index) => index, [rowHeight])
}

const widthOf = (columns: readonly TableColumn[]) => columns.reduce((sum, { width }) => sum + width, 0)

/** The name gets the remaining width; if the name was resized, the last column does. */
function Widths({ columns: { columns, choice } }: { columns: TableColumns }) {
  const flexible = choice.widths.name === undefined ? 'name' : columns.at(-1)?.id
  return (
    <colgroup>
      {columns.map(({ id, width }) => (
        <col key={id} style={id === flexible ? undefined : { width: rem(width) }} />
      ))}
    </colgroup>
  )
}

function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr aria-hidden style={{ height }} /> : null
}

/** Pixels. All rows have the same height, and the sticky head covers rows scrolled under it. */
type TableSizes = { rowHeight: number; headHeight: number; boxHeight: number }

/** When the height of table or rows changes, the first row in view stays first, and the active row stays in view. */
function useScrollPosition(
  gridRef: RefObject<HTMLTableElement | null>,
  sizes: TableSizes,
  activeIndex: number,
) {
  const { rowHeight, headHeight, boxHeight } = sizes
  const lastSizes = useRef<TableSizes>(sizes)

  function scrollTo(index: number): void {
    const grid = gridRef.current
    const box = grid?.parentElement
    if (!box) return
    lastSizes.current = { rowHeight, headHeight: grid.tHead?.offsetHeight ?? 0, boxHeight: box.clientHeight }
    const highest = index * rowHeight
    const lowest = highest + rowHeight + lastSizes.current.headHeight - lastSizes.current.boxHeight
    box.scrollTop = Math.min(highest, Math.max(lowest, box.scrollTop))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls only for new sizes
  useLayoutEffect(() => {
    const before = lastSizes.current
    lastSizes.current = { rowHeight, headHeight, boxHeight }
    const box = gridRef.current?.parentElement
    if (!box) return
    const top = activeIndex * before.rowHeight - box.scrollTop
    // Screen pixels may be fractions of CSS pixels.
    const wasInView = top > -1 && top + before.rowHeight <= before.boxHeight - before.headHeight + 1
    if (rowHeight !== before.rowHeight) box.scrollTop *= rowHeight / before.rowHeight
    if (wasInView) scrollTo(activeIndex)
  }, [rowHeight, headHeight, boxHeight])

  return { scrollTo }
}
