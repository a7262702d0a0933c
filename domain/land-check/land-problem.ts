import { planarArea } from '#domain/geometry/borders/trace-areas.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { metersBetween, scaleAt } from '#domain/geometry/scale.ts'

/**
 * With their names in sentences. In this order they are listed and should be fixed: joined corners close the gaps and
 * overlaps between them.
 */
export const problemClasses = {
  'near-corners': 'nearly equal corners',
  'missing-corner': 'a missing corner',
  spike: 'a spike',
  'self-intersection': 'a border that crosses itself',
  overlap: 'an overlap',
  gap: 'a gap',
  'no-parcel': 'land without a parcel',
}
export type ProblemClass = keyof typeof problemClasses

export type LandProblem = {
  class: ProblemClass
  /** Equal if the problem is found again: depends only on the ids and corners concerned. */
  key: string
  /** Shapes concerned. */
  ids: string[]
  place: Position
  /** The area of an overlap, gap, or land without a parcel; both nearly equal corners; the edge without the corner; the edges of a spike. */
  geometry?: Geometry
  /** Square meters of an area; otherwise a distance or length in meters; 0 of self-intersections. */
  size: number
  /** Of a self-intersection: the rest of a sentence that begins with 'The shape'. */
  what?: string
}

/** Meters. Surveys locate corners within 2 to 5 cm, so these are the same corner. No lot is that narrow. */
export const cornerTolerance = 0.05

/** Of a spike. Real lots with such a sharp corner are wider than the tolerance at its other end. */
export const maxSpikeDegrees = 1

/** Meters, on average. Rounding to 9 decimals moves corners by less than a tenth of that. */
const minWidth = 0.001

/** A square with sides of 10 cm. Smaller areas can hardly be seen or measured. */
const minSquareMeters = 0.01

/** Meters, on average. Wider spaces, such as streets, alleys and ponds, can be land that belongs to no record. */
export const maxGapWidth = 1

/** Planar: geodesic areas lose digits where they are small. */
export function squareMetersOf(geometry: Geometry): number {
  const [x, y] = scaleAt(polygonsOfGeometry(geometry)[0]?.[0]?.[0]?.[1] ?? 0)
  return planarArea(geometry) * x * y
}

function perimeterMeters(geometry: Geometry): number {
  const rings = polygonsOfGeometry(geometry).flat()
  const scale = scaleAt(rings[0]?.[0]?.[1] ?? 0)
  return rings.reduce(
    (sum, ring) =>
      ring.reduce((all, to, index) => all + metersBetween(ring[index - 1] ?? to, to, scale), sum),
    0,
  )
}

/** Twice the area by the perimeter: the width of a long strip. */
function widthMeters(geometry: Geometry): number {
  const perimeter = perimeterMeters(geometry)
  return perimeter > 0 ? (2 * squareMetersOf(geometry)) / perimeter : 0
}

/** Whether rounding cannot explain the area. */
export const isRealArea = (geometry: Geometry) =>
  squareMetersOf(geometry) >= minSquareMeters && widthMeters(geometry) >= minWidth

export const isSliver = (geometry: Geometry) => isRealArea(geometry) && widthMeters(geometry) < maxGapWidth

/** Ten times as long as wide. Shorter ones are where corners of land nearly meet. */
export const isLong = (geometry: Geometry) => perimeterMeters(geometry) > 20 * widthMeters(geometry)
