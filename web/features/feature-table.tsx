import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
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
import { cellId, FeatureTableRow, type TypedCells } from './feature-table-row.tsx'
import { type TableColumn, whyFixed } from './table-columns.ts'
import { useActiveRow } from './use-active-row.ts'
import { useCellCursor } from './use-cell-cursor.ts'
import { useKeptPlace } from './use-kept-place.ts'
import { useRowControls } from './use-row-controls.ts'
import type { RowMarking } from './use-row-marks.ts'
import type { TableColumns } from './use-table-columns.ts'

/** A cell that is edited in its place. */
export type EditedCell = {
  feature: FeatureSummary
  column: TableColumn
  /** What the text begins with; null where it stays as it is. */
  seed: string | null
  onEnd(where: CellEnd): void
}
/** Where whoever has edited a cell goes on; null: it stays the cell that keys mean. 'away': they are elsewhere already. */
export type CellEnd = 'down' | 'up' | 'left' | 'right' | 'away' | null

type FeatureTableProps = {
  mapId: string
  question: TableQuestion
  columns: TableColumns
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
  /** The control in a cell; undefined where nothing can be edited. */
  renderEditor?: ((cell: EditedCell) => ReactNode) | undefined
  typedCells?: TypedCells | undefined
}

/** Which cell that is; `index` of its row. */
type EditedPlace = Pick<EditedCell, 'column' | 'seed'> & { id: string; index: number }

/** With less room a row has two lines; with even less, only what matters most. Pixels. */
const layouts = [
  { name: 'wide', from: 720 },
  { name: 'narrow', from: 320 },
  { name: 'tight', from: 0 },
] as const
/** All that there is room for then. */
const tightColumns = new Set(['kind', 'name', 'severity', 'status'])
const rowHeights = { wide: 44, narrow: 60, tight: 60, phone: 76 }

/**
 * Every feature of the map under the question. Only the rows in view are in the page, and only their parts are
 * asked for: so it makes no difference how many there are.
 */
export function FeatureTable(props: FeatureTableProps) {
  const { mapId, question, columns, selectedId, mayEdit, marking, ...table } = props
  const client = useQueryClient()
  const gridId = useId()
  const rowId = (index: number) => `${gridId}-${index}`
  const gridRef = useRef<HTMLTableElement>(null)
  const scrollRef = useRef<HTMLDivElement>(null)
  const { ref: sizeRef, width, height: boxHeight } = useElementSize<HTMLDivElement>()
  const boxRef = useMergedRef(scrollRef, sizeRef)
  const { ref: headRef, height: headHeight } = useElementSize<HTMLTableSectionElement>()
  const isPhone = useIsPhone()
  // Columns of one's own need the room of a table, which is then scrolled sideways.
  const layout = columns.isStandard ? (layouts.find(({ from }) => width >= from)?.name ?? 'tight') : 'wide'
  const rowHeight = rowHeights[isPhone && layout !== 'wide' ? 'phone' : layout]
  const first = useQuery(featureTableQuery(mapId, question, 0, columns.fields))
  const [lastTotal, setLastTotal] = useState(0)
  const total = first.data?.total ?? lastTotal
  if (total !== lastTotal) setLastTotal(total)
  const [edited, setEdited] = useState<EditedPlace | null>(null)
  const virtualizer = useVirtualizer({
    count: total,
    // A row in which somebody types stays, wherever they scroll to.
    rangeExtractor(range) {
      const shown = defaultRangeExtractor(range)
      const kept =
        edited === null || edited.index >= total || shown.includes(edited.index) ? [] : [edited.index]
      return [...shown, ...kept].toSorted((one, other) => one - other)
    },
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowHeight,
    getItemKey: useRowKeys(rowHeight),
    overscan: 12,
    // The head stands before the first row, and over whatever has been scrolled under it.
    scrollMargin: headHeight,
  })
  const rows = virtualizer.getVirtualItems()
  const pages = pagesOf(rows.map((row) => row.index))
  const answers = useQueries({
    queries: pages.map((page) => featureTableQuery(mapId, question, page, columns.fields)),
  })
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
  // The index may be known before the rows are, and before it is known how much of the place the head takes.
  const index = known !== null && known < total && headHeight > 0 ? known : null
  const { sort, ...filters } = question
  const { activeIndex, activate, goTo, selectHere, onKeyDown, scrolling } = useActiveRow({
    count: total,
    rowsPerScreen: 10,
    selectedId,
    selectedIndex: index,
    question: JSON.stringify(filters),
    scrollTo: (row) => place.scrollTo(row),
    onEnter: (row, key) => select(row, key === 'Enter' ? table.onOpen : table.onSelect),
  })
  const place = useKeptPlace(gridRef, { rowHeight, headHeight, boxHeight }, activeIndex)
  const cursor = useCellCursor(columns.columns.filter(({ id }) => layout !== 'tight' || tightColumns.has(id)))
  const activeCell = cellId(rowId(activeIndex), cursor.column.id)
  // Newer browsers return a promise, which React would take for the end of the effect.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a row comes into view by itself
  useEffect(
    () => void document.getElementById(activeCell)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [cursor.column.id],
  )
  const [note, setNote] = useState('')
  const controls = useRowControls({ gridRef, rowId, activeIndex, activate, move, cursor })

  /** As in any grid: Shift and Space mark a row, Shift and an arrow the next one too, Ctrl+A all. */
  function move(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey } = event
    setNote('')
    if (marking && shiftKey && key === ' ') mark(activeIndex, false)
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

  /** Enter, F2 and what is typed edit the cell of the cursor. The sign of a row opens its details instead. */
  function beginsEdit(event: KeyboardEvent): boolean {
    // A space marks or selects, but within a text that is being typed before its control is there.
    const seed = edited !== null && event.key === ' ' ? ' ' : seedOf(event)
    if (!table.renderEditor || seed === undefined || cursor.column.id === 'kind') return false
    beginEdit(activeIndex, cursor.column, seed)
    if (cursor.column.id === 'status') controls.enter(event.key === 'Enter')
    return true
  }
  function beginEdit(index: number, column: TableColumn, seed: string | null) {
    const feature = rowAt(index)
    if (!feature || !table.renderEditor) return
    const why = whyFixed(feature, column)
    if (why !== null) setNote(why)
    // Its control is in the cell already.
    else if (column.id !== 'status')
      setEdited((present) =>
        // What is typed before the control has the focus goes into it, too.
        present?.id === feature.id && present.column.id === column.id
          ? { ...present, seed: `${present.seed ?? ''}${seed ?? ''}` }
          : { id: feature.id, index, column, seed },
      )
  }
  function endEdit(step: CellEnd) {
    setEdited(null)
    if (step === 'away') return
    gridRef.current?.focus()
    if (step === 'down' || step === 'up') goTo(activeIndex + (step === 'down' ? 1 : -1))
    else if (step !== null) {
      const column = cursor.step(step === 'right' ? 1 : -1)
      if (column) beginEdit(activeIndex, column, null)
    }
  }
  /** Back to a cell, wherever its row is by now. */
  async function leadTo({ id, column: columnId }: { id: string; column: string }) {
    const column = columns.columns.find((one) => one.id === columnId)
    if (!column) return setNote('Its column is not in the table now.')
    const index = await indexOf(id).catch(() => null)
    if (index === null) return setNote('It is not in the table as it is filtered now.')
    cursor.goTo(columnId)
    goTo(index)
    setEdited({ id, index, column, seed: null })
  }
  async function indexOf(id: string): Promise<number | null> {
    for (const [place, page] of pages.entries()) {
      const within = answers[place]?.data?.items.findIndex((row) => row.id === id) ?? -1
      if (within >= 0) return page * tablePageSize + within
    }
    return (await client.fetchQuery(featurePositionQuery(mapId, id, question))).position
  }
  const { wanted } = table.typedCells ?? { wanted: null }
  const followWanted = useEffectEvent(() => {
    if (!wanted) return
    const { activeElement } = document
    const isFree = edited === null && (activeElement === gridRef.current || activeElement === document.body)
    if (wanted.isAsked || isFree) void leadTo(wanted)
    table.typedCells?.onLed()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that somebody should be led
  useEffect(() => followWanted(), [wanted])

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
      style={
        {
          '--kind-column': `${columns.columns[0]?.width}px`,
          '--name-column': `${columns.columns[1]?.width}px`,
        } as CSSProperties
      }
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
        aria-colcount={columns.columns.length}
        aria-activedescendant={isActiveInPage ? activeCell : undefined}
        tabIndex={0}
        style={layout === 'wide' && !columns.isStandard ? { minWidth: widthOf(columns.columns) } : undefined}
        {...controls.handlers}
      >
        {layout === 'wide' && <Widths columns={columns} />}
        <FeatureTableHead
          headRef={headRef}
          columns={columns}
          isWide={layout === 'wide'}
          sort={sort}
          onSort={table.onSort}
        />
        <tbody>
          <Spacer height={before} />
          {rows.map((row, place) => (
            // Not by its place: a control that has the focus would become that of another feature.
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
                mayEdit={mayEdit}
                isMarked={marking ? marking.has(rowAt(row.index)?.id ?? '') : undefined}
                onMark={(isRange) => mark(row.index, isRange)}
                onSelect={() => select(row.index, table.onSelect)}
                onCell={cursor.goTo}
                typedCells={table.typedCells}
                editor={editorIn(rowAt(row.index))}
                onEdit={(column) => beginEdit(row.index, column, null)}
              />
            </Fragment>
          ))}
          <Spacer height={after} />
        </tbody>
      </table>
      <p className={classes.note} role="status">
        {note}
      </p>
    </div>
  )

  function editorIn(feature: FeatureSummary | undefined) {
    if (!edited || !table.renderEditor || feature?.id !== edited.id) return null
    const { column, seed } = edited
    return { column: column.id, content: table.renderEditor({ feature, column, seed, onEnd: endEdit }) }
  }
}

/** What a key that begins to edit leaves of the text: all of it (null), or what was typed. Undefined: it does not. */
function seedOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | null | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  if (key === 'Enter' || key === 'F2') return null
  if (key === 'Backspace' || key === 'Delete') return ''
  return key.length === 1 && key !== ' ' ? key : undefined
}

/** Other keys for other heights: with the same ones, rows would be as high as they were. */
function useRowKeys(rowHeight: number): (index: number) => number {
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  return useCallback((index) => index, [rowHeight])
}

const widthOf = (columns: readonly TableColumn[]) => columns.reduce((sum, { width }) => sum + width, 0)

/** The room that is left over is the name's, unless somebody has said how wide it is: then it is the last column's. */
function Widths({ columns: { columns, choice } }: { columns: TableColumns }) {
  const flexible = choice.widths.name === undefined ? 'name' : columns.at(-1)?.id
  return (
    <colgroup>
      {columns.map(({ id, width }) => (
        <col key={id} style={id === flexible ? undefined : { width }} />
      ))}
    </colgroup>
  )
}

/** Stands for the rows that are out of view. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr aria-hidden style={{ height }} /> : null
}

/** Always the first, which says how many rows there are. */
function pagesOf(indexes: readonly number[]): number[] {
  return [...new Set([0, ...indexes.map((index) => Math.floor(index / tablePageSize))])]
}
