import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

type ActiveRowOptions = {
  count: number
  /** Rows that PageUp and PageDown go over. */
  rowsPerScreen: number
  selectedId: string | undefined
  /** Counted from 0; null until it is known where the selected row is. */
  selectedIndex: number | null
  /** What the rows are asked for, as one text: the selected row comes into view again under other filters. */
  question: string
  scrollTo(index: number): void
  onEnter(index: number, key: 'Enter' | ' '): void
}

/**
 * The row that the keys move through a list or table. A row that is selected elsewhere, on the map say, becomes
 * active and comes into view. Where it is may be known late: by then a user who has moved on stays where they are.
 */
export function useActiveRow(options: ActiveRowOptions) {
  const { count, rowsPerScreen, selectedId, selectedIndex, question, scrollTo, onEnter } = options
  const [activeIndex, setActiveIndex] = useState(0)
  const selectionOf = (id: string | undefined) => JSON.stringify([id, question])
  const selection = selectionOf(selectedId)
  /** The address bar may take a moment to say what was selected here. */
  const latest = useRef(selection)
  /** The selection that needs no more bringing into view, and where its row was. */
  const handled = useRef<{ selection: string; index: number | null }>(undefined)

  useEffect(() => {
    latest.current = selection
    if (handled.current?.selection !== selection) handled.current = undefined
  }, [selection])

  // biome-ignore lint/correctness/useExhaustiveDependencies: how to scroll is no reason to scroll
  useEffect(() => {
    if (selectedIndex === null) return
    const before = handled.current?.selection === selection ? handled.current : undefined
    handled.current = { selection, index: selectedIndex }
    if (!before) {
      setActiveIndex(selectedIndex)
      scrollTo(selectedIndex)
    }
    // Rows came or went above it: whoever was on it stays on it.
    else setActiveIndex((active) => (active === before.index ? selectedIndex : active))
  }, [selectedIndex, selection])

  /** The user moves on by themselves: by keys, wheel or finger. */
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
