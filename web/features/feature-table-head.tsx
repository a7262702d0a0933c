import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { type FeatureSort, type FeatureSortColumn, firstFeatureSort } from '#domain/features/feature-sort.ts'
import type { TableColumn } from '#domain/features/table-columns.ts'
import { textScale } from '#web/ui/device.ts'
import { useIsPrinting } from '#web/ui/printing.ts'
import classes from './feature-table.module.css'
import { narrowestColumn, widestColumn } from './table-columns.ts'
import type { RowMarking } from './use-row-marks.ts'
import type { TableColumns } from './use-table-columns.ts'

type FeatureTableHeadProps = {
  headRef: React.Ref<HTMLTableSectionElement>
  columns: TableColumns
  marking: RowMarking | undefined
  sort: FeatureSort
  onSort(sort: FeatureSort | undefined): void
}

/** Clicks sort ascending, descending, then in the default order. */
export function FeatureTableHead({ headRef, columns, marking, sort, onSort }: FeatureTableHeadProps) {
  const rowRef = useRef<HTMLTableRowElement>(null)
  const drag = useHeadDrag(rowRef, columns)
  const isPrinting = useIsPrinting()
  return (
    <thead ref={headRef} className={classes.head}>
      <tr ref={rowRef} aria-rowindex={1}>
        {columns.columns.map((column, index) => {
          const { id, label } = column
          const direction = column.sort && directionOf(sort, column.sort)
          const isMovable = columns.choice.ids.includes(id)
          return (
            <th
              key={id}
              scope="col"
              aria-colindex={index + 1}
              aria-sort={direction}
              // Without the width, which is a control in this head.
              aria-label={id === 'kind' || column.sort ? undefined : label}
              data-column={id}
              title={isForStaff(column) ? 'Staff only' : undefined}
              data-drop={drag.dropOn(id)}
              {...(isMovable && drag.of(id))}
            >
              {id === 'kind' ? (
                <SelectAll marking={marking} />
              ) : column.sort && direction && !isPrinting ? (
                <SortButton
                  column={column.sort}
                  direction={direction}
                  label={label}
                  onSort={onSort}
                  onKeyDown={(event) => {
                    if (event.shiftKey) resizeByKey(event, column.width, (width) => columns.resize(id, width))
                  }}
                />
              ) : (
                <span className={classes.label}>{label}</span>
              )}
              {id !== 'kind' && !isPrinting && (
                <WidthHandle column={column} onResize={(width) => columns.resize(id, width)} />
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

function SelectAll({ marking }: { marking: RowMarking | undefined }) {
  if (!marking) return <VisuallyHidden>Kind</VisuallyHidden>
  const { isAny, isAll } = marking
  return (
    <label className={classes.kind}>
      <input
        ref={(box) => {
          if (box) box.indeterminate = isAny && !isAll
        }}
        type="checkbox"
        className={classes.mark}
        aria-label="Select all"
        checked={isAll}
        onChange={isAll ? marking.clear : marking.all}
      />
      <span aria-hidden="true">Select all</span>
    </label>
  )
}

const isForStaff = ({ fields }: TableColumn) => [...fields.values()].some(({ field }) => field.isForStaff)

type Direction = 'ascending' | 'descending' | 'none'
const icons = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }

type SortButtonProps = {
  column: FeatureSortColumn
  direction: Direction
  label: string
  onSort(sort: FeatureSort | undefined): void
  onKeyDown(event: KeyboardEvent): void
}

function SortButton({ column, direction, label, onSort, onKeyDown }: SortButtonProps) {
  const Icon = icons[direction]
  return (
    <UnstyledButton
      className={classes.sort}
      aria-description="Shift and the left or right arrow key change the width"
      onClick={() => onSort(next(column, direction))}
      onKeyDown={onKeyDown}
    >
      <span>{label}</span>
      <Icon size={14} aria-hidden="true" data-idle={direction === 'none' || undefined} />
    </UnstyledButton>
  )
}

export function directionOf(sort: FeatureSort, column: FeatureSortColumn): Direction {
  if (sort === column) return 'ascending'
  return sort === `-${column}` ? 'descending' : 'none'
}

function next(column: FeatureSortColumn, direction: Direction): FeatureSort | undefined {
  if (direction === 'none') return column === firstFeatureSort ? undefined : column
  return direction === 'ascending' ? `-${column}` : undefined
}

const widthStep = 16

type WidthHandleProps = {
  column: TableColumn
  onResize(width: number | null): void
}

function resizeByKey(event: KeyboardEvent, width: number, onResize: (width: number) => void) {
  const step = { ArrowLeft: -widthStep, ArrowRight: widthStep }[event.key]
  if (step === undefined) return
  event.preventDefault()
  event.stopPropagation()
  onResize(width + step)
}

/** Dragged, or moved with the arrow keys; a double click resets the width. */
function WidthHandle({ column: { label, width, sort }, onResize }: WidthHandleProps) {
  /** Where the drag began, and how wide the column was. */
  const began = useRef<{ x: number; width: number }>(undefined)
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be focused
    <span
      className={classes.width}
      role="separator"
      // Shift and arrow keys on the button beside it do the same.
      tabIndex={sort ? -1 : 0}
      aria-hidden={sort ? true : undefined}
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={width}
      aria-valuemin={narrowestColumn}
      aria-valuemax={widestColumn}
      aria-valuetext={`${width} pixels`}
      onKeyDown={(event) => resizeByKey(event, width, onResize)}
      onDoubleClick={() => onResize(null)}
      onPointerDown={(event) => {
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
        const pixels = event.currentTarget.parentElement?.getBoundingClientRect().width
        const shown = pixels === undefined ? width : pixels / textScale()
        began.current = { x: event.clientX, width: shown }
      }}
      onPointerMove={(event) => {
        if (began.current) onResize(began.current.width + (event.clientX - began.current.x) / textScale())
      }}
      onPointerUp={() => {
        began.current = undefined
      }}
      onPointerCancel={() => {
        began.current = undefined
      }}
    />
  )
}

/** Pixels that a click may move. */
const pressSlack = 6

/** A column dropped on another head takes its place. */
function useHeadDrag(rowRef: React.RefObject<HTMLTableRowElement | null>, columns: TableColumns) {
  const began = useRef<{ id: string; x: number }>(undefined)
  const [target, setTarget] = useState<{ id: string; on: string } | null>(null)

  function headAt(x: number): string | undefined {
    const heads = [...(rowRef.current?.cells ?? [])].filter(({ dataset }) => dataset.movable !== undefined)
    const under = heads.find((head) => {
      const { left, right } = head.getBoundingClientRect()
      return left <= x && x < right
    })
    return under?.dataset.column
  }
  function end() {
    began.current = undefined
    setTarget(null)
  }
  const of = (id: string) => ({
    'data-movable': true,
    onPointerDown(event: PointerEvent) {
      if (event.button === 0 && event.pointerType === 'mouse') began.current = { id, x: event.clientX }
    },
    onPointerMove(event: PointerEvent) {
      if (!began.current || (!target && Math.abs(event.clientX - began.current.x) < pressSlack)) return
      // From here on it is a drag, and not a click on the button.
      event.currentTarget.setPointerCapture(event.pointerId)
      setTarget({ id: began.current.id, on: headAt(event.clientX) ?? began.current.id })
    },
    onPointerUp() {
      if (target && target.on !== target.id) columns.move(target.id, columns.choice.ids.indexOf(target.on))
      end()
    },
    onPointerCancel: end,
  })
  return { of, dropOn: (id: string) => (target && target.on === id && target.id !== id) || undefined }
}
