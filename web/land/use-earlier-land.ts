import { useQuery } from '@tanstack/react-query'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { startOfDay } from '#domain/values/time-zones.ts'
import { parcelsAsOfQuery } from '#web/api/land.api.ts'
import { instantText, localText, timeZone, today } from '#web/ui/time-zone.ts'
import { roundedBox } from '#web/workspace/box-text.ts'

const [dayMs, boxStep] = [86_400_000, 0.002]

/** The parcels of the extent at the end of a day or at a local time, in the time zone of the map. */
export function useEarlierLand(mapId: string, asOf: string | undefined, extent: Bounds | null) {
  const bbox = extent ? roundedBox(extent, boxStep) : undefined
  const at = asOf === undefined || isFuture(asOf) ? undefined : instantOf(asOf)
  return useQuery(parcelsAsOfQuery(mapId, at, bbox))
}

/** The current day is not in the future. */
export const isFuture = (asOf: string) =>
  asOf > (asOf.includes('T') ? localText(new Date().toISOString()) : today())

function instantOf(asOf: string): string {
  if (asOf.includes('T')) return instantText(asOf)
  const next = new Date(Date.parse(`${asOf}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
  return new Date(startOfDay(next, timeZone()) - 1).toISOString()
}
