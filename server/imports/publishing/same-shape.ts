import type { Geometry } from '#domain/geometry/geometry.schema.ts'

type Nested = readonly number[] | readonly Nested[]

/** Whether two shapes are the same to the last digit, whichever way around their rings run: formats have rules of their own. */
export function isSameShape(one: Geometry, other: Geometry): boolean {
  if (one.type !== other.type) return false
  const isArea = one.type === 'Polygon' || one.type === 'MultiPolygon'
  const textOf = ({ coordinates }: Geometry) => JSON.stringify(plain(coordinates as Nested, isArea))
  return textOf(one) === textOf(other)
}

/** Without elevations, which are dropped; of a ring and its reverse the same one. */
function plain(coordinates: Nested, isArea: boolean): unknown {
  if (typeof coordinates[0] === 'number') return coordinates.slice(0, 2)
  const parts = (coordinates as readonly Nested[]).map((part) => plain(part, isArea))
  const isRing = isArea && Array.isArray(parts[0]) && typeof parts[0][0] === 'number'
  if (!isRing) return parts
  const reverse = parts.toReversed()
  return JSON.stringify(parts) < JSON.stringify(reverse) ? parts : reverse
}
