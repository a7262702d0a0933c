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
 * The status control is always in its cell. Enter moves into it; Left, Right, Tab and Esc leave it; up and down
 * move to that of the next row. So Tab does not visit every row.
 */
export function useRowControls({ gridRef, rowId, activeIndex, activate, move, cursor }: RowControlsOptions) {
  const [isAwaited, setIsAwaited] = useState(false)
  const hasControl = useRef(false)
  /** Text typed after the row moved away must not go to the row in its place. */
  const isRowGone = useRef(false)
  const focusControl = (row: Element | null) => row?.querySelector('select')?.focus()

  useEffect(() => {
    const row = document.getElementById(rowId(activeIndex))
    if (!isAwaited || !row) return
    setIsAwaited(false)
    focusControl(row)
  })
  // The row with the focused control moved away: the grid takes the focus.
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

  /** A focused control activates its row; after a click on a row the grid keeps the focus. */
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
