import {
  type Map as EngineMap,
  type ErrorEvent,
  GPUInitializationError,
  type MapSourceDataEvent,
} from 'maplibre-gl'
import { useCallback, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import { ConnectionContext } from '#web/ui/connection-context.ts'
import { createStore, type Store } from '#web/ui/external-store.ts'
import { isBaseSource } from './base-maps.ts'
import { dataSources } from './map-style.ts'
import { restartMatchWorkerIfDead } from './match-tiles.ts'
import { hasStyle, replaceLostCanvas, restartDeadWorkers } from './revive-map.ts'

type TileAddress = { x: number; y: number; z: number }
type TileErrorEvent = ErrorEvent & {
  sourceId?: string
  tile?: { tileID: { canonical: TileAddress }; actor?: unknown }
}

const frameCheckEveryMs = 100

export type MapState = 'loading' | 'busy' | 'complete'

export function useMapHealth(
  map: EngineMap | null,
  baseMap: BaseMap,
  inTurn: (name: string, act: () => void) => void,
  onComplete: () => void,
) {
  // It changes in each frame of a drag, so only those who need it render again.
  const [states] = useState(() => createStore<MapState>('loading'))
  const [awayBaseMap, setAwayBaseMap] = useState<BaseMap | null>(null)
  const [isDataAway, setIsDataAway] = useState(false)
  const [canDraw, setCanDraw] = useState(true)
  const failedTiles = useRef<{ source: string; address: TileAddress }[]>([])
  const hasBaseGaps = useRef(false)
  const [baseAttempt, setBaseAttempt] = useState(0)

  const isReviving = useRevival(map, states, giveUp)

  /** The rest of the page no longer waits for the first picture. */
  function giveUp() {
    setCanDraw(false)
    onComplete()
  }
  const completed = useEffectEvent(onComplete)
  useEffect(() => {
    if (!map) return
    // A tile that turns out to be unchanged ends its loading without an event or frame, and only frames detect
    // completion: request frames until then.
    let repaintTimer: ReturnType<typeof setInterval> | undefined
    const complete = () => {
      clearInterval(repaintTimer)
      repaintTimer = undefined
      states.set('complete')
      completed()
    }
    const busy = () => {
      states.set('busy')
      repaintTimer ??= setInterval(() => {
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
    // Loading may have ended before the listeners were added.
    if (hasStyle(map) && map.areTilesLoaded()) map.triggerRepaint()
    return () => {
      clearInterval(repaintTimer)
      map.off('idle', complete)
      map.off('movestart', busy)
      map.off('dataloading', busy)
      map.off('sourcedata', arrived)
    }
  }, [map, states])

  function onError(event: TileErrorEvent) {
    const source = dataSources.find((id) => id === event.sourceId)
    if (event.error instanceof GPUInitializationError) giveUp()
    else if (isBaseSource(event.sourceId)) {
      hasBaseGaps.current = true
      setAwayBaseMap(baseMap)
    } else if (source) {
      setIsDataAway(true)
      if (!event.tile) return
      failedTiles.current.push({ source, address: event.tile.tileID.canonical })
      // With a worker assigned, the engine takes a failed tile as still loading and never requests it again.
      delete event.tile.actor
    } else console.error(event.error)
  }

  const refreshData = useCallback(() => {
    if (!map) return
    setIsDataAway(false)
    inTurn('refresh', () => {
      const failed = failedTiles.current.splice(0)
      for (const source of dataSources) {
        if (!map.getSource(source)) continue
        // The engine never retries failed tiles that are not listed.
        const ofSource = failed.filter((tile) => tile.source === source)
        map.refreshTiles(
          source,
          ofSource.map(({ address }) => address),
        )
        map.refreshTiles(source)
      }
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
    states,
    isBaseMapAway: awayBaseMap === baseMap,
    isDataAway,
    canDraw,
    isReviving,
    /** A new number creates new sources: the engine cannot retry a failed image. */
    baseAttempt,
    loseBaseMap: () => setAwayBaseMap(baseMap),
    retryBaseMap: () => {
      setAwayBaseMap(null)
      setBaseAttempt((attempt) => attempt + 1)
    },
    onError,
    refreshData,
  }
}

/** If tiles are missing for this long, check whether the worker is alive. */
const checkEveryMs = 4_000
const contextAgainMs = 1_000
const maxContextAttempts = 10

/** True until everything in view is drawn again. Calls `onLost` if the browser gives no more contexts. */
function useRevival(map: EngineMap | null, states: Store<MapState>, onLost: () => void): boolean {
  const [isReviving, setIsReviving] = useState(false)
  const giveUp = useEffectEvent(onLost)

  useEffect(() => {
    if (!map) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let attempts = 0
    function revive() {
      clearTimeout(timer)
      // Pages in the background may get no context.
      if (!map || hasStyle(map) || document.hidden) return
      attempts += 1
      if (replaceLostCanvas(map)) attempts = 0
      else if (attempts < maxContextAttempts) timer = setTimeout(revive, contextAgainMs)
      else giveUp()
    }
    // The engine also fires this around a restart of its workers; then the style stays.
    const lose = () => {
      setIsReviving(true)
      timer = setTimeout(revive)
    }
    const done = () => setIsReviving(false)
    map.on('webglcontextlost', lose)
    map.on('idle', done)
    document.addEventListener('visibilitychange', revive)
    return () => {
      clearTimeout(timer)
      map.off('webglcontextlost', lose)
      map.off('idle', done)
      document.removeEventListener('visibilitychange', revive)
    }
  }, [map])

  useEffect(() => {
    const onDead = () => setIsReviving(true)
    let timer: ReturnType<typeof setInterval> | undefined
    function follow() {
      const isBusy = states.get() === 'busy'
      if (isBusy === (timer !== undefined)) return
      clearInterval(timer)
      timer = isBusy ? setInterval(check, checkEveryMs) : undefined
    }
    function check() {
      void restartDeadWorkers(onDead)
      void restartMatchWorkerIfDead(onDead)
    }
    follow()
    const stop = states.listen(follow)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [states])

  return isReviving
}
