import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { addressWith } from './http.ts'
import { mapKey } from './maps.api.ts'

export type LiveConnection = 'connecting' | 'open' | 'lost'

/** A burst of changes (an import, say) refreshes once. */
const gatherMs = 300

const reconnectMs = 3_000

/**
 * Follows the changes of a map: what is shown of it is asked for again, and `onChange` tells the map to do the
 * same with its tiles. 'all' follows every map of the person who is signed in. After a lost connection everything is refreshed, since changes may have been missed.
 */
export function useLiveUpdates(mapId: string | 'all', onChange: () => void): LiveConnection {
  const queryClient = useQueryClient()
  const [connection, setConnection] = useState<LiveConnection>('connecting')
  const refresh = useEffectEvent((changedMapId: string) => {
    if (changedMapId !== 'all') void queryClient.invalidateQueries({ queryKey: mapKey(changedMapId) })
    onChange()
  })

  useEffect(() => {
    let events: EventSource | undefined
    let refreshTimer: number | undefined
    let connectTimer: number | undefined
    let wasLost = false
    const refreshSoon = () => {
      // Not put off by what comes meanwhile: changes may come without end.
      refreshTimer ??= window.setTimeout(() => {
        refreshTimer = undefined
        refresh(mapId)
      }, gatherMs)
    }
    const connect = () => {
      const opened = new EventSource(addressWith('/api/events', { map: mapId === 'all' ? undefined : mapId }))
      events = opened
      opened.addEventListener('open', () => {
        setConnection('open')
        if (wasLost) refreshSoon()
        wasLost = false
      })
      opened.addEventListener('change', refreshSoon)
      opened.addEventListener('error', () => {
        wasLost = true
        setConnection('lost')
        // The browser connects again by itself, but not after an answer such as 503.
        if (opened.readyState === EventSource.CLOSED) connectTimer = window.setTimeout(connect, reconnectMs)
      })
    }
    connect()
    return () => {
      window.clearTimeout(refreshTimer)
      window.clearTimeout(connectTimer)
      events?.close()
    }
  }, [mapId])
  return connection
}
