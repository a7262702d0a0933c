import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { ExportItem } from './export-columns.ts'

export const locationColumns = ['latitude', 'longitude', 'wkt'] as const

type Location = readonly [latitude: number | null, longitude: number | null, wkt: string | null]

export function locationOf(row: ExportItem): Location {
  const geometry = JSON.parse(row.geometry) as Geometry
  if (geometry.type === 'Point') {
    const [lng = 0, lat = 0] = geometry.coordinates
    if (lng !== 0 || lat !== 0) return [lat, lng, null]
  }
  return [null, null, toWkt(geometry)]
}

type Nested = readonly number[] | readonly Nested[]

/** Well-known text (OGC Simple Features 7.2) with all digits and without elevations. */
export function toWkt({ type, coordinates }: Geometry): string {
  const text = writeCoordinates(coordinates as Nested)
  return type === 'Point' ? `POINT (${text})` : `${type.toUpperCase()} ${text}`
}

function writeCoordinates(coordinates: Nested): string {
  if (typeof coordinates[0] === 'number') {
    const [lng, lat] = coordinates as readonly number[]
    return `${lng} ${lat}`
  }
  return `(${(coordinates as readonly Nested[]).map(writeCoordinates).join(', ')})`
}
