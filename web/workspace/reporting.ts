import { useEffect, useEffectEvent } from 'react'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { createPublished } from '#web/ui/external-store.ts'

// The form of a report is beside the map; the reporting tool shows its cross on the map.

type Reporting = { onPlace(place: LatLng): void }

const published = createPublished<Reporting>()

export const useReporting = published.use

export function usePublishedReporting(isPlacing: boolean, onPlace: (place: LatLng) => void) {
  const place = useEffectEvent(onPlace)
  useEffect(() => {
    if (isPlacing) return published.publish({ onPlace: (chosen) => place(chosen) })
  }, [isPlacing])
}
