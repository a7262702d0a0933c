import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Pixels. All rows are equally high, and the head covers what is scrolled under it. */
type TableSizes = { rowHeight: number; headHeight: number; boxHeight: number }

/**
 * What is looked at stays, however high the table and its rows become: when details open below it, say, or when the
 * window is made wider. The first row in view stays the first; a row that the keys are on stays in view.
 */
export function useKeptPlace(
  gridRef: RefObject<HTMLTableElement | null>,
  sizes: TableSizes,
  activeIndex: number,
) {
  const { rowHeight, headHeight, boxHeight } = sizes
  /** With which the place was seen to last. */
  const known = useRef<TableSizes>(sizes)

  /** As they are at this moment, which may not have been told yet. */
  function scrollTo(index: number): void {
    const grid = gridRef.current
    const box = grid?.parentElement
    if (!box) return
    known.current = { rowHeight, headHeight: grid.tHead?.offsetHeight ?? 0, boxHeight: box.clientHeight }
    const highest = index * rowHeight
    const lowest = highest + rowHeight + known.current.headHeight - known.current.boxHeight
    box.scrollTop = Math.min(highest, Math.max(lowest, box.scrollTop))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only other sizes are a reason to scroll
  useLayoutEffect(() => {
    const before = known.current
    known.current = { rowHeight, headHeight, boxHeight }
    const box = gridRef.current?.parentElement
    if (!box) return
    const top = activeIndex * before.rowHeight - box.scrollTop
    // Pixels of the screen may be parts of pixels here.
    const wasInView = top > -1 && top + before.rowHeight <= before.boxHeight - before.headHeight + 1
    if (rowHeight !== before.rowHeight) box.scrollTop *= rowHeight / before.rowHeight
    if (wasInView) scrollTo(activeIndex)
  }, [rowHeight, headHeight, boxHeight])

  return { scrollTo }
}
