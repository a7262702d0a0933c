import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { addressWith } from './http.ts'
import { mapKey } from './maps.api.ts'

export type LiveConnection = 'connecting' | 'open' | 'lost'

/** A burst of changes (an import, say) refreshes once. */
const gatherMs = 300

/**
 * Follows the changes of a map: what is shown of it is asked for again, and `onChange` tells the map to do the
 * same with its tiles. After a lost connection everything is refreshed, since changes may have been missed.
 */
export function useLiveUpdates(mapId: string | null, onChange: () => void): LiveConnection {
  const queryClient = useQueryClient()
  const [connection, setConnection] = useState<LiveConnection>('connecting')
  const refresh = useEffectEvent((changedMapId: string) => {
    void queryClient.invalidateQueries({ queryKey: mapKey(changedMapId) })
    onChange()
  })

  useEffect(() => {
    if (mapId === null) return
    const events = new EventSource(addressWith('/api/events', { map: mapId }))
    let timer: number | undefined
    let wasLost = false
    const refreshSoon = () => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => refresh(mapId), gatherMs)
    }
    events.addEventListener('open', () => {
      setConnection('open')
      if (wasLost) refreshSoon()
      wasLost = false
    })
    events.addEventListener('change', refreshSoon)
    events.addEventListener('error', () => {
      wasLost = true
      setConnection('lost')
    })
    return () => {
      window.clearTimeout(timer)
      events.close()
    }
  }, [mapId])
  return connection
}
