import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

type ActiveRowOptions = {
  count: number
  rowsPerScreen: number
  selectedId: string | undefined
  selectedIndex: number | null
  /** The filters as text: under other filters the selected row scrolls into view again. */
  query: string
  scrollTo(index: number): void
  onEnter(index: number, key: 'Enter' | ' '): void
}

/**
 * A row selected elsewhere, on the map for example, becomes active and scrolls into view, unless the user has
 * moved on before its position is loaded.
 */
export function useActiveRow(options: ActiveRowOptions) {
  const { count, rowsPerScreen, selectedId, selectedIndex, query, scrollTo, onEnter } = options
  const [activeIndex, setActiveIndex] = useState(0)
  const selectionOf = (id: string | undefined) => JSON.stringify([id, query])
  const selection = selectionOf(selectedId)
  /** The selection in the address may lag behind. */
  const latest = useRef(selection)
  const handled = useRef<{ selection: string; index: number | null }>(undefined)

  useEffect(() => {
    latest.current = selection
    if (handled.current?.selection !== selection) handled.current = undefined
  }, [selection])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new scroll function does not scroll
  useEffect(() => {
    if (selectedIndex === null) return
    const before = handled.current?.selection === selection ? handled.current : undefined
    handled.current = { selection, index: selectedIndex }
    if (!before) {
      setActiveIndex(selectedIndex)
      scrollTo(selectedIndex)
    }
    // Rows above were added or removed: the active row stays the same feature.
    else setActiveIndex((active) => (active === before.index ? selectedIndex : active))
  }, [selectedIndex, selection])

  function moveOn(): void {
    if (handled.current?.selection !== latest.current)
      handled.current = { selection: latest.current, index: null }
  }

  function selectHere(id: string, index: number): void {
    latest.current = selectionOf(id)
    setActiveIndex(index)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, number> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: activeIndex + rowsPerScreen,
      PageUp: activeIndex - rowsPerScreen,
      Home: 0,
      End: count - 1,
    }
    const move = moves[event.key]
    if (event.key === 'Enter' || event.key === ' ') onEnter(activeIndex, event.key)
    else if (move !== undefined) goTo(move)
    else return
    event.preventDefault()
  }

  function goTo(index: number): void {
    const next = Math.max(0, Math.min(count - 1, index))
    moveOn()
    setActiveIndex(next)
    scrollTo(next)
  }

  return {
    activeIndex,
    activate: setActiveIndex,
    goTo,
    selectHere,
    onKeyDown,
    scrolling: { onWheel: moveOn, onTouchMove: moveOn },
  }
}
