import { useEffect, useEffectEvent } from 'react'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { createPublished } from '#web/ui/external-store.ts'

// The form of a report is beside the map; the reporting tool shows its cross on the map.

type Reporting = {
  /** Chosen. Null while the map is moved under the cross. */
  place: LatLng | null
  onPlace(place: LatLng): void
}

const published = createPublished<Reporting>()

export const useReporting = published.use

export function usePublishedReporting(
  isPlacing: boolean,
  place: LatLng | null,
  onPlace: Reporting['onPlace'],
) {
  const choose = useEffectEvent(onPlace)
  useEffect(() => {
    if (isPlacing || place)
      return published.publish({ place: isPlacing ? null : place, onPlace: (chosen) => choose(chosen) })
  }, [isPlacing, place])
}
