import { type KeyboardEvent, useState } from 'react'
import type { TableColumn } from '#domain/features/table-columns.ts'

export type CellCursor = ReturnType<typeof useCellCursor>

export function useCellCursor(columns: readonly TableColumn[]) {
  const [id, goTo] = useState('kind')
  const index = Math.max(
    0,
    columns.findIndex((column) => column.id === id),
  )
  function step(by: number): TableColumn | undefined {
    const next = columns[index + by]
    if (next) goTo(next.id)
    return next
  }
  function onKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey || shiftKey) return false
    const to = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: columns.length - 1,
    }[key]
    if (to === undefined) return false
    step(to - index)
    return true
  }
  return { column: columns[index] as TableColumn, goTo, step, onKey }
}
