import type { Geometry } from '#domain/geometry/geometry.schema.ts'

type Nested = readonly number[] | readonly Nested[]

/** A shape as well-known text (OGC Simple Features 7.2), to the last digit, without elevations. */
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
