import type { Geometry } from '#domain/geometry/geometry.schema.ts'

type Nested = readonly number[] | readonly Nested[]

/** In degrees, 0.1 mm: formats that write 15 digits change the last ones. */
const sameWithin = 1e-9

/**
 * Whether two shapes are the same, whichever way around their rings run, and whether or not one part is a list of parts: formats
 * have rules of their own.
 */
export function isSameShape(one: Geometry, other: Geometry): boolean {
  const [first, second] = [withoutList(one), withoutList(other)]
  return (
    first.type === second.type && isSame(first.coordinates, second.coordinates, /Polygon/.test(first.type))
  )
}

/** A list of one part as that part. */
function withoutList({ type, coordinates }: Geometry): { type: string; coordinates: Nested } {
  const isOne = type.startsWith('Multi') && coordinates.length === 1
  return isOne
    ? { type: type.slice('Multi'.length), coordinates: coordinates[0] as Nested }
    : { type, coordinates: coordinates as Nested }
}

function isSame(one: Nested, other: Nested, isArea: boolean): boolean {
  if (isPosition(one) || isPosition(other))
    return [0, 1].every((index) => Math.abs(Number(one[index]) - Number(other[index])) <= sameWithin)
  const parts = other as readonly Nested[]
  const areSame = (others: readonly Nested[]) =>
    one.length === others.length &&
    one.every((part, index) => isSame(part as Nested, others[index] as Nested, isArea))
  return areSame(parts) || (isArea && isPosition(parts[0]) && areSame(parts.toReversed()))
}

/** Elevations are dropped. */
const isPosition = (value: Nested | undefined) => typeof value?.[0] === 'number'
