import type { Map as EngineMap } from 'maplibre-gl'
import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { TileUpdateQueue } from './tile-update-queue.ts'

export type ShownData = {
  tiles: string
  isVisible: Readonly<Record<string, boolean>>
}

/** Returns the data that the map may show now, and a function that queues other changes. */
export function useTileUpdates(map: EngineMap | null, { tiles, isVisible }: ShownData) {
  const [shown, setShown] = useState<ShownData>({ tiles, isVisible })
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
    turns?.take('visibility', () =>
      // Synchronously: the next frame ends the turn.
      flushSync(() => setShown((previous) => ({ ...previous, isVisible: JSON.parse(visibility) }))),
    )
  }, [turns, visibility])

  useEffect(() => {
    turns?.take('tiles', () => flushSync(() => setShown((previous) => ({ ...previous, tiles }))))
  }, [turns, tiles])

  const inTurn = useCallback((name: string, act: () => void) => turns?.take(name, act), [turns])
  return { shown, inTurn }
}
