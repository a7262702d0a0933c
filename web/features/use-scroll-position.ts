import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Pixels. All rows have the same height, and the sticky head covers rows scrolled under it. */
type TableSizes = { rowHeight: number; headHeight: number; boxHeight: number }

/** When the height of table or rows changes, the first row in view stays first, and the active row stays in view. */
export function useScrollPosition(
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
