import type { CornerKey } from '#domain/geometry/borders/corners.ts'
import { planarArea } from '#domain/geometry/borders/trace-areas.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'

export const problemClasses = [
  'overlap',
  'gap',
  'near-corners',
  'missing-corner',
  'self-intersection',
  'spike',
] as const
export type ProblemClass = (typeof problemClasses)[number]

export type LandProblem = {
  class: ProblemClass
  /** Equal if the problem is found again. Depends on the corners and shapes concerned, not on their order. */
  key: string
  /** Shapes concerned. A missing corner lists those that lack it first. */
  ids: string[]
  place: Position
  /**
   * The area of an overlap or gap; both corners that are nearly equal; the edge that lacks a corner; the two edges of a
   * spike.
   */
  geometry?: Geometry
  /** Square meters of an overlap or gap, the length of a spike or the distance in meters; 0 if unknown. */
  size: number
  /** Of a self-intersection: the rest of a sentence that begins with 'The shape'. */
  what?: string
}

/**
 * Meters. Surveys locate corners within 2 to 5 cm, so that corners closer than this are the same monument. No lot is
 * that narrow.
 */
export const cornerTolerance = 0.05

/**
 * Meters, on average. Rounding to 9 decimals moves corners by up to 0.08 mm, and so explains slivers up to a tenth of
 * this width.
 */
const leastWidth = 0.001

/** Square meters: a square with sides of 10 cm. Smaller ones cannot be seen on the map or in an area. */
const leastArea = 0.01

/** Wider spaces, such as streets, alleys and ponds, can be land that belongs to no record. */
const maxGapWidth = 1

/** Degrees between the edges of a spike. */
export const maxSpikeAngle = 1

export type Scale = readonly [metersPerLng: number, metersPerLat: number]

/** On the WGS 84 ellipsoid. Exact enough for distances of a few hundred meters. */
export function scaleAt(latitude: number): Scale {
  const angle = (latitude * Math.PI) / 180
  return [
    111_412.84 * Math.cos(angle) - 93.5 * Math.cos(3 * angle) + 0.118 * Math.cos(5 * angle),
    111_132.954 - 559.822 * Math.cos(2 * angle) + 1.175 * Math.cos(4 * angle),
  ]
}

export const metersBetween = (one: Position, other: Position, [x, y] = scaleAt(one[1])) =>
  Math.hypot((one[0] - other[0]) * x, (one[1] - other[1]) * y)

/** Geodesic areas lose digits where they are this small, so this one is planar. */
export function squareMetersOf(geometry: Geometry): number {
  const [, latitude] = polygonsOfGeometry(geometry)[0]?.[0]?.[0] ?? [0, 0]
  const [x, y] = scaleAt(latitude)
  return planarArea(geometry) * x * y
}

/** In meters: twice the area by the perimeter, which is the width of a long strip. */
function averageWidth(geometry: Geometry): number {
  let perimeter = 0
  for (const ring of polygonsOfGeometry(geometry).flat())
    for (const [index, to] of ring.entries())
      if (index > 0) perimeter += metersBetween(ring[index - 1] as Position, to)
  return perimeter > 0 ? (2 * squareMetersOf(geometry)) / perimeter : 0
}

/** Whether rounding cannot explain the area. */
export const isRealArea = (geometry: Geometry) =>
  squareMetersOf(geometry) >= leastArea && averageWidth(geometry) >= leastWidth

export const isSliver = (geometry: Geometry) => averageWidth(geometry) < maxGapWidth

export const nearCornersKey = (one: CornerKey, other: CornerKey) =>
  `near-corners ${[one, other].sort().join(', ')}`
