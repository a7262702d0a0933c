import { Skeleton, VisuallyHidden } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import type { Field } from '#domain/definition/definition.ts'
import { kindLabels } from '#domain/definition/kinds.ts'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import type { TableColumn } from '#domain/features/table-columns.ts'
import { formatLand, readersUnits } from '#web/ui/measures.ts'
import { useIsPrinting } from '#web/ui/printing.ts'
import { exactTime, localDay, relativeTime } from '#web/ui/relative-time.ts'
import { useUnsavedRecords } from '#web/ui/unsaved/unsaved-records.ts'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import { showValue } from './feature-facts.tsx'
import classes from './feature-table.module.css'
import { StatusSelect } from './status-control.tsx'
import { whyFixed } from './table-columns.ts'
import { TypeIcon } from './type-icon.tsx'
import { typeLabel } from './type-label.ts'

/** The head counts as the first row in ARIA, which counts from 1. */
export const firstRowNumber = 2

export type TypedCells = {
  of(id: string, column: string): TypedCell | undefined
  /** Cell to return to: on request, or if the focus is free. */
  wanted: { id: string; column: string; isAsked: boolean } | null
  onReturned(): void
}
type TypedCell = {
  text: string
  asSaved: FeatureSummary | null
  problem: string | null
}

type FeatureTableRowProps = {
  id: string
  mapId: string
  columns: readonly TableColumn[]
  index: number
  /** Pixels; equal for all rows, so that the table can jump to any row. */
  height: number
  feature: FeatureSummary | undefined
  isSelected: boolean
  activeColumn: string | undefined
  mayEdit: boolean
  isMarked: boolean | undefined
  /** `isRange` includes all rows since the last marked one. */
  onMark(isRange: boolean): void
  onSelect(feature: FeatureSummary): void
  onCell(column: string): void
  typedCells: TypedCells | undefined
  editor: { column: string; content: ReactNode } | null
  onEdit(column: TableColumn): void
}

export const cellId = (rowId: string, column: string) => `${rowId}-${column}`

export function FeatureTableRow({ id, columns, index, height, feature, ...row }: FeatureTableRowProps) {
  if (!feature)
    return (
      <tr id={id} className={classes.row} aria-rowindex={index + firstRowNumber} style={{ height }}>
        <td colSpan={columns.length} data-column="none">
          <Skeleton height={12} />
        </td>
      </tr>
    )
  return (
    <tr
      id={id}
      tabIndex={-1}
      className={classes.row}
      style={{ height }}
      aria-rowindex={index + firstRowNumber}
      aria-selected={row.isSelected}
      data-active={row.activeColumn !== undefined || undefined}
      data-marked={row.isMarked || undefined}
      onMouseDown={(event) => {
        // Shift and click would select text.
        if (row.isMarked !== undefined && event.shiftKey) event.preventDefault()
      }}
      onClick={(event) => {
        const isRange = event.shiftKey
        const column = (event.target as Element).closest('td')?.dataset.column
        if (column) row.onCell(column)
        if (row.isMarked !== undefined && (isRange || event.ctrlKey || event.metaKey)) row.onMark(isRange)
        else row.onSelect(feature)
      }}
    >
      {columns.map((column, place) => {
        const isEdited = row.editor?.column === column.id
        const typed = row.typedCells?.of(feature.id, column.id)
        const { content, title } = typed ? typedCellOf(column, typed, row) : cellOf(column, feature, row)
        return (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: within a grid it is a gridcell
          <td
            key={column.id}
            id={cellId(id, column.id)}
            aria-colindex={place + 1}
            data-column={column.id}
            data-empty={content === '–' || undefined}
            data-active={row.activeColumn === column.id || undefined}
            aria-readonly={isReadOnly(column, feature, row.mayEdit)}
            data-edited={isEdited || undefined}
            aria-busy={typed?.problem === null || undefined}
            aria-invalid={(typed && typed.problem !== null) || undefined}
            title={title}
            onDoubleClick={() => {
              if (column.id !== 'kind') row.onEdit(column)
            }}
          >
            {isEdited ? row.editor?.content : content}
          </td>
        )
      })}
    </tr>
  )
}

const isReadOnly = (column: TableColumn, feature: FeatureSummary, mayEdit: boolean) =>
  !mayEdit || column.id === 'kind' || whyFixed(feature, column) !== null

type CellOptions = Pick<FeatureTableRowProps, 'mapId' | 'mayEdit' | 'isMarked' | 'onMark'>
type Cell = { content: ReactNode; title?: string | undefined }

function cellOf({ id, isRequested, fields }: TableColumn, feature: FeatureSummary, row: CellOptions): Cell {
  const { kind, type, status, severity, date, parcel, values } = feature
  const name = feature.name || 'Untitled'
  if (isRequested) return { content: showInCell(fields.get(kind)?.field, values?.[id] ?? null) }
  switch (id) {
    case 'kind':
      return {
        content: (
          <Sign isMarked={row.isMarked} onMark={row.onMark} name={name} title={kindLabels[kind].one}>
            <TypeIcon kind={kind} type={type} isResolved={status === 'resolved'} size={22} />
          </Sign>
        ),
      }
    case 'name':
      return {
        content: (
          <span className={classes.name}>
            <UnsavedSign mapId={row.mapId} id={feature.id} />
            {name}
          </span>
        ),
        title: name,
      }
    case 'type':
      return { content: type === null ? '–' : typeLabel(kind, type) }
    case 'severity':
      return { content: kindTraits[kind].hasSeverity ? <SeverityBadge severity={severity} /> : '–' }
    case 'status':
      return {
        content:
          status === null ? (
            '–'
          ) : row.mayEdit ? (
            <StatusCell
              mapId={row.mapId}
              subject={{ id: feature.id, name, status, version: feature.version }}
            />
          ) : (
            <StatusBadge status={status} />
          ),
      }
    case 'date':
      return { content: date === null ? '–' : <Moment at={date} /> }
    default:
      return { content: parcel?.name ?? '–', title: parcel?.name }
  }
}

function UnsavedSign({ mapId, id }: { mapId: string; id: string }) {
  const isUnsaved = useUnsavedRecords(mapId)(id)
  if (!isUnsaved) return null
  return (
    <span className={classes.unsaved} title="Unsaved changes">
      <IconPencil size={14} aria-hidden="true" />
      <VisuallyHidden>Unsaved changes: </VisuallyHidden>
    </span>
  )
}

function typedCellOf(column: TableColumn, { text, asSaved, problem }: TypedCell, row: CellOptions): Cell {
  const cell = asSaved ? cellOf(column, asSaved, row) : { content: text }
  if (problem === null) return cell
  return {
    content: (
      <>
        {cell.content}
        <VisuallyHidden> Not saved</VisuallyHidden>
      </>
    ),
    title: `Not saved: ${problem}`,
  }
}

function showInCell(field: Field | undefined, value: string | number | boolean | null): ReactNode {
  if (!field || value === null || value === '') return '–'
  if (field.value.type === 'instant') return <Moment at={String(value)} />
  if ('unit' in field.value && field.value.unit === 'acres') return formatLand(Number(value), readersUnits())
  return showValue(field, value, { name: null, onSelect: null })
}

function Moment({ at }: { at: string }) {
  const isPrinting = useIsPrinting()
  return (
    <time dateTime={at} title={exactTime(at)}>
      {isPrinting ? localDay(at) : relativeTime(at, undefined, 'narrow')}
    </time>
  )
}

type SignProps = {
  isMarked: boolean | undefined
  onMark(isRange: boolean): void
  name: string
  title: string
  children: ReactNode
}

function Sign({ isMarked, onMark, name, title, children }: SignProps) {
  const value = (
    <>
      {children}
      <span>{title}</span>
    </>
  )
  if (isMarked === undefined)
    return (
      <span className={classes.kind} title={title}>
        {value}
      </span>
    )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps clicks on the box from selecting the row
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same
    <label className={classes.kind} title={title} onClick={(event) => event.stopPropagation()}>
      <input
        type="checkbox"
        className={classes.mark}
        tabIndex={-1}
        aria-label={`Select ${name}`}
        checked={isMarked}
        onChange={({ nativeEvent }) => onMark((nativeEvent as MouseEvent).shiftKey === true)}
      />
      {value}
    </label>
  )
}

function StatusCell(props: ComponentProps<typeof StatusSelect>) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps clicks on the control from selecting the row
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same
    // biome-ignore lint/a11y/noStaticElementInteractions: the same
    <span onClick={(event) => event.stopPropagation()}>
      <StatusSelect {...props} tabIndex={-1} />
    </span>
  )
}
