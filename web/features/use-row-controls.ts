import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { firstRowNumber } from './feature-table-row.tsx'
import type { CellCursor } from './use-cell-cursor.ts'

type RowControlsOptions = {
  gridRef: RefObject<HTMLTableElement | null>
  rowId(index: number): string
  activeIndex: number
  activate(index: number): void
  move(event: KeyboardEvent): void
  cursor: CellCursor
}

/**
 * The control that is always in its cell, of the status. Enter leads into it; Left, Right, Tab and Esc lead out of it
 * again, up and down to that of the next row. So Tab does not go through all rows.
 */
export function useRowControls({ gridRef, rowId, activeIndex, activate, move, cursor }: RowControlsOptions) {
  /** The row that becomes active may come into the page late. */
  const [isAwaited, setIsAwaited] = useState(false)
  const hasControl = useRef(false)
  /** What somebody goes on typing is meant for a row that went elsewhere, and not for the one in its place. */
  const isRowGone = useRef(false)
  const focusControl = (row: Element | null) => row?.querySelector('select')?.focus()

  useEffect(() => {
    const row = document.getElementById(rowId(activeIndex))
    if (!isAwaited || !row) return
    setIsAwaited(false)
    focusControl(row)
  })
  // The row of a control went elsewhere: whoever was in it stays in the grid.
  useEffect(() => {
    if (!hasControl.current || document.activeElement !== document.body) return
    gridRef.current?.focus()
    isRowGone.current = true
  })

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>): void {
    const { key, target, currentTarget } = event
    if (target instanceof HTMLSelectElement) {
      if (key === 'ArrowUp' || key === 'ArrowDown') {
        currentTarget.focus()
        setIsAwaited(true)
        move(event)
      } else if (key === 'ArrowLeft' || key === 'ArrowRight' || key === 'Tab') {
        currentTarget.focus()
        cursor.step(key === 'ArrowLeft' || event.shiftKey ? -1 : 1)
      } else if (key === 'Escape') currentTarget.focus()
      else if (key === 'Enter') target.showPicker()
      else return
      event.preventDefault()
    } else if (target === currentTarget) {
      const isTyped = key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
      isRowGone.current &&= isTyped
      if (isRowGone.current) event.preventDefault()
      else move(event)
    }
  }
  function enter(isOpen: boolean) {
    const select = document.getElementById(rowId(activeIndex))?.querySelector('select')
    select?.focus()
    if (isOpen) select?.showPicker()
  }

  /** Whoever is in a control is on its row; a row that was pressed leaves the focus to the grid. */
  function onFocus({ target, currentTarget }: FocusEvent<HTMLTableElement>): void {
    const row = target.closest('tbody [aria-rowindex]')
    hasControl.current = target instanceof HTMLSelectElement
    if (hasControl.current) isRowGone.current = false
    if (!row) return
    activate(Number(row.getAttribute('aria-rowindex')) - firstRowNumber)
    if (hasControl.current) cursor.goTo('status')
    if (row === target) currentTarget.focus()
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget) hasControl.current = false
  }
  return { enter, handlers: { onKeyDown, onFocus, onBlur } }
}
