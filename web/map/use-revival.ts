import type { Map as EngineMap } from 'maplibre-gl'
import { useEffect, useEffectEvent, useState } from 'react'
import { restartMatchWorkerIfDead } from './match-tiles.ts'
import { hasStyle, replaceLostCanvas, restartDeadWorkers } from './revive-map.ts'

/** If tiles are missing for this long, check whether the worker is alive. */
const checkEveryMs = 4_000
const contextAgainMs = 1_000
const mostContextAttempts = 10

/** True until everything in view is drawn again. Calls `onLost` if the browser gives no more contexts. */
export function useRevival(map: EngineMap | null, isWaitingForTiles: boolean, onLost: () => void): boolean {
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
      else if (attempts < mostContextAttempts) timer = setTimeout(revive, contextAgainMs)
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
    if (!isWaitingForTiles) return
    const onDead = () => setIsReviving(true)
    const timer = setInterval(() => {
      void restartDeadWorkers(onDead)
      void restartMatchWorkerIfDead(onDead)
    }, checkEveryMs)
    return () => clearInterval(timer)
  }, [isWaitingForTiles])

  return isReviving
}
