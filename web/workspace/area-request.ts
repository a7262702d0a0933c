import { useEffect, useEffectEvent } from 'react'
import { createPublished } from '#web/ui/external-store.ts'

// A form requests an area; a tool of the map returns it. Neither imports the other.

export type AreaSource = 'view' | 'drawing'
export type AreaRing = readonly (readonly [lng: number, lat: number])[]

export type AreaRequest = {
  from: AreaSource
  /** The most positions of the ring. */
  maxPositions: number
  onArea(ring: AreaRing): void
  onGiveUp(): void
}

const published = createPublished<AreaRequest>()

export const useAreaRequest = published.use

export function usePublishedAreaRequest(request: AreaRequest | null) {
  const onArea = useEffectEvent((ring: AreaRing) => request?.onArea(ring))
  const onGiveUp = useEffectEvent(() => request?.onGiveUp())
  const { from, maxPositions } = request ?? {}
  useEffect(() => {
    if (from === undefined || maxPositions === undefined) return
    return published.publish({
      from,
      maxPositions,
      onArea: (ring) => onArea(ring),
      onGiveUp: () => onGiveUp(),
    })
  }, [from, maxPositions])
}
