import {
  type Map as EngineMap,
  type ErrorEvent,
  GPUInitializationError,
  type MapSourceDataEvent,
} from 'maplibre-gl'
import { useCallback, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import { ConnectionContext } from '#web/ui/connection-context.ts'
import { isBaseSource } from './base-maps.ts'
import { featureSource } from './map-style.ts'
import { hasStyle } from './revive-map.ts'
import { useRevival } from './use-revival.ts'

type TileAddress = { x: number; y: number; z: number }
type TileErrorEvent = ErrorEvent & {
  sourceId?: string
  tile?: { tileID: { canonical: TileAddress }; actor?: unknown }
}

const frameCheckEveryMs = 100

export type MapState = 'loading' | 'busy' | 'complete'

/** Whether everything in view is drawn, and which of its sources cannot be reached. */
export function useMapHealth(
  map: EngineMap | null,
  baseMap: BaseMap,
  inTurn: (name: string, act: () => void) => void,
  onComplete: () => void,
) {
  const [state, setState] = useState<MapState>('loading')
  const [awayBaseMap, setAwayBaseMap] = useState<BaseMap | null>(null)
  const [isDataAway, setIsDataAway] = useState(false)
  const [canDraw, setCanDraw] = useState(true)
  const failedTiles = useRef<TileAddress[]>([])
  const hasBaseGaps = useRef(false)
  const [baseAttempt, setBaseAttempt] = useState(0)

  const isReviving = useRevival(map, state === 'busy', () => setCanDraw(false))

  const completed = useEffectEvent(onComplete)
  useEffect(() => {
    if (!map) return
    // A tile that turns out to be unchanged ends its loading without an event and without a frame, and only
    // a frame can find that everything is there: one is asked for until it has.
    let asking: ReturnType<typeof setInterval> | undefined
    const complete = () => {
      clearInterval(asking)
      asking = undefined
      setState('complete')
      completed()
    }
    const busy = () => {
      setState('busy')
      asking ??= setInterval(() => {
        if (hasStyle(map) && map.areTilesLoaded()) map.triggerRepaint()
      }, frameCheckEveryMs)
    }
    const arrived = (event: MapSourceDataEvent) => {
      const hasTile = event.dataType === 'source' && event.tile !== undefined
      if (hasTile && isBaseSource(event.sourceId) && event.tile.state === 'loaded') setAwayBaseMap(null)
    }
    map.on('idle', complete)
    map.on('movestart', busy)
    map.on('dataloading', busy)
    map.on('sourcedata', arrived)
    // It may have come to rest before anybody listened.
    if (hasStyle(map) && map.areTilesLoaded()) map.triggerRepaint()
    return () => {
      clearInterval(asking)
      map.off('idle', complete)
      map.off('movestart', busy)
      map.off('dataloading', busy)
      map.off('sourcedata', arrived)
    }
  }, [map])

  function onError(event: TileErrorEvent) {
    if (event.error instanceof GPUInitializationError) setCanDraw(false)
    else if (isBaseSource(event.sourceId)) {
      hasBaseGaps.current = true
      setAwayBaseMap(baseMap)
    } else if (event.sourceId === featureSource) {
      setIsDataAway(true)
      if (!event.tile) return
      failedTiles.current.push(event.tile.tileID.canonical)
      // Asked for anew after a change of the filter, the engine would take it for one that is on its way already, and
      // wait for ever: it is, as long as it has a worker.
      delete event.tile.actor
    } else console.error(event.error)
  }

  const refreshData = useCallback(() => {
    if (!map?.getSource(featureSource)) return
    setIsDataAway(false)
    inTurn('refresh', () => {
      // The engine lets a tile that failed wait for ever, unless it is named.
      map.refreshTiles(featureSource, failedTiles.current.splice(0))
      map.refreshTiles(featureSource)
    })
  }, [map, inTurn])

  // The base map has its own server: requests that failed while this page was offline are retried.
  const { isAway } = useContext(ConnectionContext)
  const wasAway = useRef(isAway)
  useEffect(() => {
    if (wasAway.current && !isAway && hasBaseGaps.current) {
      hasBaseGaps.current = false
      setBaseAttempt((attempt) => attempt + 1)
    }
    wasAway.current = isAway
  }, [isAway])

  return {
    state,
    isBaseMapAway: awayBaseMap === baseMap,
    isDataAway,
    /** The browser lets the map draw: false where it has no WebGL. */
    canDraw,
    /** The browser stopped the map, and it is being restarted. */
    isReviving,
    /** Another number begins the base map anew: the engine cannot ask once more for a picture that failed. */
    baseAttempt,
    loseBaseMap: () => setAwayBaseMap(baseMap),
    retryBaseMap: () => {
      setAwayBaseMap(null)
      setBaseAttempt((attempt) => attempt + 1)
    },
    onError,
    /** Asks for the data in view again: something changed, or could not be had. */
    refreshData,
  }
}
