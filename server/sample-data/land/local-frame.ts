import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { Point } from './plane.ts'

const metersPerLatitudeDegree = 111_132.95
const metersPerEquatorDegree = 111_319.49

/** Seven decimals: about a centimetre, as county records give them. */
export function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}

/** Turns metres around a place into positions; the same point always gives the same position. */
export function localFrame({ lat, lng }: { lat: number; lng: number }) {
  const metersPerLongitudeDegree = metersPerEquatorDegree * Math.cos((lat * Math.PI) / 180)
  const toPosition = ([x, y]: Point): Position => [
    rounded(lng + x / metersPerLongitudeDegree),
    rounded(lat + y / metersPerLatitudeDegree),
  ]
  return {
    toPosition,
    toLine: (points: readonly Point[]) => points.map(toPosition),
    toRing: (points: readonly Point[]) => [...points, points[0] as Point].map(toPosition),
  }
}
export type LocalFrame = ReturnType<typeof localFrame>
