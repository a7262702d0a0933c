import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import type { TableColumn } from '#domain/features/table-columns.ts'
import type { TypedCells } from './feature-table-row.tsx'
import { whyFixed } from './table-columns.ts'
import type { CellCursor } from './use-cell-cursor.ts'
import type { useTableRows } from './use-table-rows.ts'

export type EditedCell = {
  feature: FeatureSummary
  column: TableColumn
  seed: string | null
  onEnd(where: CellEnd): void
}
/** Cursor movement after an edit; null: none. 'away': the focus has already left the table. */
export type CellEnd = 'down' | 'up' | 'left' | 'right' | 'away' | null

export type EditedPlace = Pick<EditedCell, 'column' | 'seed'> & { id: string; index: number }

type Key = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

/**
 * The first text of a cell that a key begins to edit; null keeps the value. Undefined: the key does not begin an
 * edit.
 */
export function seedOf({ key, ctrlKey, metaKey, altKey }: Key): string | null | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  if (key === 'Enter' || key === 'F2') return null
  if (key === 'Backspace' || key === 'Delete') return ''
  return key.length === 1 && key !== ' ' ? key : undefined
}

export function withEdit(current: EditedPlace | null, next: EditedPlace): EditedPlace {
  const isSameCell = current?.id === next.id && current.column.id === next.column.id
  return isSameCell ? { ...current, seed: `${current.seed ?? ''}${next.seed ?? ''}` } : next
}

type CellEditOptions = Pick<ReturnType<typeof useTableRows>, 'rowAt' | 'indexOf'> & {
  edited: EditedPlace | null
  setEdited: (change: EditedPlace | null | ((current: EditedPlace | null) => EditedPlace)) => void
  isEditable: boolean
  columns: readonly TableColumn[]
  cursor: CellCursor
  activeIndex: number
  goTo(index: number): void
  gridRef: RefObject<HTMLTableElement | null>
  typedCells: TypedCells | undefined
}

/** Returns to cells that could not be saved. `note` says why a cell is fixed. */
export function useCellEdit(options: CellEditOptions) {
  const { rowAt, indexOf, edited, setEdited, isEditable, columns, cursor, activeIndex, goTo, gridRef } =
    options
  const [note, setNote] = useState('')

  function begin(index: number, column: TableColumn, seed: string | null) {
    const feature = rowAt(index)
    if (!feature || !isEditable) return
    const why = whyFixed(feature, column)
    if (why !== null) setNote(why)
    // The status control is always in its cell.
    else if (column.id !== 'status')
      setEdited((current) => withEdit(current, { id: feature.id, index, column, seed }))
  }

  function end(step: CellEnd) {
    setEdited(null)
    if (step === 'away') return
    gridRef.current?.focus()
    if (step === 'down' || step === 'up') goTo(activeIndex + (step === 'down' ? 1 : -1))
    else if (step !== null) {
      const column = cursor.step(step === 'right' ? 1 : -1)
      if (column) begin(activeIndex, column, null)
    }
  }

  async function returnTo({ id, column: columnId }: { id: string; column: string }) {
    const column = columns.find((one) => one.id === columnId)
    if (!column) return setNote('This column is hidden.')
    const index = await indexOf(id).catch(() => null)
    if (index === null) return setNote('This record does not match the current filters.')
    cursor.goTo(columnId)
    goTo(index)
    setEdited({ id, index, column, seed: null })
  }

  const { wanted } = options.typedCells ?? { wanted: null }
  const followWanted = useEffectEvent(() => {
    if (!wanted) return
    const { activeElement } = document
    const isFree = edited === null && (activeElement === gridRef.current || activeElement === document.body)
    if (wanted.isAsked || isFree) void returnTo(wanted)
    options.typedCells?.onReturned()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each new `wanted`
  useEffect(() => followWanted(), [wanted])

  return { begin, end, note, clearNote: () => setNote('') }
}
