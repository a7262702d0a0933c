import { useMap } from '@vis.gl/react-maplibre'
import type { Map as EngineMap } from 'maplibre-gl'
import { type RefObject, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ConnectionContext } from '#web/ui/connection-context.ts'
import type { Handler } from './handler.ts'

export const loadingStatus = 'Loading drawing tools…'

export function useHandler<Kind extends Handler>(
  name: string | null,
  load: () => Promise<(map: EngineMap) => Kind>,
): { handler: RefObject<Kind | undefined>; isReady: boolean; problem: string | null } {
  const map = useMap().current?.getMap()
  const handler = useRef<Kind>(undefined)
  const [readyFor, setReadyFor] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const loadLatest = useEffectEvent(load)
  // Loads again after a lost connection; a running task is not interrupted.
  const { isAway, doubt } = useContext(ConnectionContext)
  const [attempt, setAttempt] = useState(0)
  const tryAgain = useEffectEvent(() => {
    if (problem) setAttempt(attempt + 1)
  })
  const doubtConnection = useEffectEvent(doubt)
  useEffect(() => {
    if (!isAway) tryAgain()
  }, [isAway])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again
  useEffect(() => {
    if (!map || !name) return
    let isCurrent = true
    loadLatest().then(
      (start) => {
        if (!isCurrent) return
        setProblem(null)
        handler.current = start(map)
        setReadyFor(name)
      },
      () => {
        if (!isCurrent) return
        setProblem('Could not load the drawing tools. Select the tool again to retry.')
        doubtConnection()
      },
    )
    return () => {
      isCurrent = false
      handler.current?.end()
      handler.current = undefined
      setReadyFor(null)
    }
  }, [map, name, attempt])
  return { handler, isReady: name !== null && readyFor === name, problem }
}
