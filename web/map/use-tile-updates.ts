import type { Map as EngineMap } from 'maplibre-gl'
import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { dataSources } from './map-style.ts'
import { hasStyle } from './revive-map.ts'

export type ShownData = {
  tiles: string
  /** Tiles without the filter, while one is on. */
  rest: string | null
  isVisible: Readonly<Record<string, boolean>>
  isDark: boolean
}

/** Returns the data that the map may show now, and a function that queues other changes. */
export function useTileUpdates(map: EngineMap | null, { tiles, rest, isVisible, isDark }: ShownData) {
  const [shown, setShown] = useState<ShownData>({ tiles, rest, isVisible, isDark })
  const [turns, setTurns] = useState<TileUpdateQueue | null>(null)
  const visibility = JSON.stringify(isVisible)

  useEffect(() => {
    if (!map) return
    const made = new TileUpdateQueue(map)
    setTurns(made)
    return () => {
      made.stop()
      setTurns(null)
    }
  }, [map])

  useEffect(() => {
    turns?.take('style', () =>
      // Synchronously: the next frame ends the turn.
      flushSync(() => setShown((previous) => ({ ...previous, isVisible: JSON.parse(visibility), isDark }))),
    )
  }, [turns, visibility, isDark])

  useEffect(() => {
    if (!turns) return
    const set = (change: Partial<ShownData>) =>
      flushSync(() => setShown((shown) => ({ ...shown, ...change })))
    // The rest comes before the matches and goes after them, so that no feature disappears in between.
    if (rest !== null) turns.take('rest', () => set({ rest }))
    turns.take('tiles', () => set({ tiles }))
    if (rest === null) turns.take('rest', () => set({ rest }))
  }, [turns, tiles, rest])

  const inTurn = useCallback((name: string, act: () => void) => turns?.take(name, act), [turns])
  return { shown, inTurn }
}

const pollMs = 30

/**
 * Each change waits until all tiles in view have loaded. The engine keeps no order of responses: for one tile a
 * response for the previous filter can replace a newer one, and a tile still loading is never requested with the
 * new filter.
 */
class TileUpdateQueue {
  private readonly map: EngineMap
  private readonly waiting = new Map<string, () => void>()
  private timer: ReturnType<typeof setInterval> | undefined
  /** The engine computes the affected tiles in the next frame. */
  private isFrameDue = false

  constructor(map: EngineMap) {
    this.map = map
    map.on('render', this.framed)
  }

  /** Runs only the latest of each name. */
  take(name: string, act: () => void) {
    this.waiting.delete(name)
    this.waiting.set(name, act)
    this.timer ??= setInterval(this.next, pollMs)
  }

  stop() {
    this.waiting.clear()
    clearInterval(this.timer)
    this.timer = undefined
    this.map.off('render', this.framed)
  }

  private readonly framed = () => {
    this.isFrameDue = false
  }

  private readonly next = () => {
    if (!this.isMapIdle()) return
    const [first] = this.waiting
    if (!first) {
      clearInterval(this.timer)
      this.timer = undefined
      return
    }
    const [name, act] = first
    this.waiting.delete(name)
    act()
    this.isFrameDue = true
    this.map.triggerRepaint()
  }

  private isMapIdle() {
    if (this.isFrameDue || !hasStyle(this.map)) return false
    return dataSources.every((id) => this.map.getSource(id) === undefined || this.map.isSourceLoaded(id))
  }
}
