import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { ExportItem } from './export-columns.ts'
import { toWkt } from './to-wkt.ts'

/** Where tables say where a row is: points as two numbers, lines and areas as text. */
export const placeColumns = ['latitude', 'longitude', 'wkt'] as const

export type Place = readonly [latitude: number | null, longitude: number | null, wkt: string | null]

export function placeOf(row: ExportItem): Place {
  const geometry = JSON.parse(row.geometry) as Geometry
  if (geometry.type === 'Point') {
    const [lng = 0, lat = 0] = geometry.coordinates
    // Tables put 0, 0 where they know no place, and are not believed.
    if (lng !== 0 || lat !== 0) return [lat, lng, null]
  }
  return [null, null, toWkt(geometry)]
}
