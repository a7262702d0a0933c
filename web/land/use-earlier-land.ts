import { useQuery } from '@tanstack/react-query'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { startOfDay } from '#domain/values/time-zones.ts'
import { parcelsAsOfQuery } from '#web/api/land.api.ts'
import { timeZone } from '#web/ui/time-zone.ts'
import { roundedBox } from '#web/workspace/box-text.ts'

const [dayMs, boxStep] = [86_400_000, 0.002]

/** The parcels of the extent at the end of the day, in the time zone of the map. */
export function useEarlierLand(mapId: string, day: string | undefined, extent: Bounds | null) {
  const bbox = extent ? roundedBox(extent, boxStep) : undefined
  return useQuery(parcelsAsOfQuery(mapId, day && endOf(day), bbox))
}

function endOf(day: string): string {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
  return new Date(startOfDay(next, timeZone()) - 1).toISOString()
}
