import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { activityRule } from '#domain/activity/activity-rules.ts'
import { addressWith } from './addresses.ts'
import { followChanges, type MapChange } from './changes.ts'
import { clientsKey } from './clients.api.ts'
import { doubtConnection, nextRequest, noteAnswer, noteLive, noteUpToDate, onReturn } from './connection.ts'
import { answerWithinMs } from './http.ts'
import { mapKey } from './maps.api.ts'
import { checkPageVersion } from './page-version.ts'
import { notePosition } from './position.ts'
import { sessionQuery } from './session.api.ts'

/** Changes within this time refresh once, such as those of an import. */
const gatherMs = 300

const reconnectMs = 3_000

/**
 * Follows the changes of a map, or of all maps of the user ('all'). Invalidates the affected queries; `onTiles` reloads
 * tiles. Refreshes everything after a lost connection, as changes may have been missed.
 */
export function useLiveUpdates(mapId: string | 'all', onTiles?: () => void): void {
  const queryClient = useQueryClient()
  const refresh = useEffectEvent((changes: readonly HeardChange[]) => {
    followChanges(queryClient, changes)
    if (changes.some(({ affectsTiles }) => affectsTiles)) onTiles?.()
  })
  const refreshAll = useEffectEvent(() => {
    if (mapId !== 'all')
      return refresh([{ mapId, part: 'everything', id: null, version: null, affectsTiles: true }])
    void queryClient.invalidateQueries({ queryKey: clientsKey })
    void queryClient.invalidateQueries({ queryKey: ['maps'] })
  })

  // Changes are not received after leaving the map: its data is reloaded on the way back.
  useEffect(
    () => () => {
      const outdated = [mapId === 'all' ? ['maps'] : mapKey(mapId), clientsKey]
      for (const queryKey of outdated) void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
    },
    [queryClient, mapId],
  )

  // After signing in again, the stream must include changes for staff.
  const { data: session } = useQuery(sessionQuery)
  const isIn = session !== undefined && session.person !== null
  const hasEnded = useRef(false)
  const [opening, setOpening] = useState(0)
  const noteEnd = useEffectEvent(() => {
    hasEnded.current = true
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  useEffect(() => {
    if (!isIn || !hasEnded.current) return
    hasEnded.current = false
    setOpening((before) => before + 1)
  }, [isIn])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `opening` reopens the stream.
  useEffect(() => {
    let events: EventSource | undefined
    let refreshTimer: number | undefined
    let connectTimer: number | undefined
    let openTimer: number | undefined
    let failures = 0
    let isOpen = false
    let gathered: HeardChange[] = []
    let isAll = false
    const refreshSoon = () => {
      // Not postponed by further changes, which may come without end.
      refreshTimer ??= window.setTimeout(() => {
        refreshTimer = undefined
        const changes = gathered
        gathered = []
        if (isAll) refreshAll()
        else refresh(changes)
        isAll = false
      }, gatherMs)
    }
    const refreshAllSoon = () => {
      isAll = true
      refreshSoon()
    }
    const connect = () => {
      const request = nextRequest()
      const opened = new EventSource(addressWith('/api/events', { map: mapId === 'all' ? undefined : mapId }))
      events = opened
      const fail = () => {
        window.clearTimeout(openTimer)
        if (isOpen) noteUpToDate()
        isOpen = false
        failures += 1
        // A stream that ends is reopened: it is only reported as lost if that fails.
        noteLive({ isLost: failures > 1 })
        doubtConnection()
        // Browsers do not reconnect after answers such as 503, and never time out.
        opened.close()
        connectTimer = window.setTimeout(connect, reconnectMs)
      }
      openTimer = window.setTimeout(fail, answerWithinMs)
      opened.addEventListener('open', () => {
        window.clearTimeout(openTimer)
        if (failures > 0) {
          refreshAllSoon()
          // The server may have been updated.
          void checkPageVersion()
        }
        failures = 0
        isOpen = true
        noteAnswer(request)
        noteLive({ isLost: false })
      })
      opened.addEventListener('change', ({ data }: MessageEvent<string>) => {
        gathered.push(readChange(data))
        refreshSoon()
      })
      opened.addEventListener('session-ended', noteEnd)
      opened.addEventListener('error', fail)
    }
    connect()
    const stopListening = onReturn(refreshAllSoon)
    return () => {
      stopListening()
      noteLive({ isLost: false })
      window.clearTimeout(refreshTimer)
      window.clearTimeout(connectTimer)
      window.clearTimeout(openTimer)
      events?.close()
    }
  }, [mapId, opening])
}

type HeardChange = MapChange & { affectsTiles: boolean }

/** Events contain ids and versions, no data: reloading checks the user's rights. */
function readChange(data: string): HeardChange {
  const { mapId, action, subject, version, position } = JSON.parse(data) as {
    mapId: string
    action: string
    subject: string | null
    version?: number
    position?: number
  }
  if (position !== undefined) notePosition(position)
  const { part, affectsTiles } = activityRule(action)
  return { mapId, part, affectsTiles, id: subject, version: version ?? null }
}
