import { clipPolygon, clipPolyline } from 'lineclip'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { partsOfGeometry, polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { orientation } from '#domain/geometry/segments.ts'
import { type TileAddress, tileExtent, toTilePoint } from './tile-address.ts'
import { type UntanglingBudget, untangle } from './untangle.ts'

// Converts WGS 84 degrees to the integers of a vector tile: 0 to `tileExtent` from west and from north.

/** 16 of 512 pixels, so that outlines never show the edge of a tile. */
export const tileMargin = 128 / tileExtent

type Point = [x: number, y: number]

const low = -tileMargin * tileExtent
const high = (1 + tileMargin) * tileExtent
const clipBox: [number, number, number, number] = [low, low, high, high]

// By index, which is faster than destructuring.

export function roundPoint(point: readonly number[]): Point {
  return [Math.round(point[0] as number), Math.round(point[1] as number)]
}

const isSame = (one: Point, other: Point) => one[0] === other[0] && one[1] === other[1]

function withoutRepeats(points: readonly Point[]): Point[] {
  return points.filter((point, index) => index === 0 || !isSame(point, points[index - 1] as Point))
}

const isInside = (x: number, y: number) => x > low && x < high && y > low && y < high

function roundOnTile(
  tile: TileAddress,
  part: readonly Position[],
  clip: (points: Point[]) => readonly (readonly (readonly number[])[])[],
): Point[][] {
  const projected: Point[] = []
  let isWhole = true
  for (const position of part) {
    const point = toTilePoint(tile, position[0], position[1])
    isWhole &&= isInside(point[0], point[1])
    projected.push(point)
  }
  if (!isWhole) return clip(projected).map((points) => points.map(roundPoint))
  for (const point of projected) {
    point[0] = Math.round(point[0])
    point[1] = Math.round(point[1])
  }
  return [projected]
}

export function tileLines(tile: TileAddress, geometry: Geometry): Point[][] {
  return partsOfGeometry(geometry)
    .flatMap((part) => roundOnTile(tile, part, (points) => clipPolyline(points, clipBox)))
    .map(withoutRepeats)
    .filter((line) => line.length >= 2)
}

/** Rounding untangled polygons hardly ever tangles them again. */
const maxUntanglings = 3

/** Order and winding of the vector tile specification: each outer ring clockwise, followed by its holes. */
export function tileRings(tile: TileAddress, geometry: Geometry, budget: UntanglingBudget): Point[][] {
  let polygons = polygonsOfGeometry(geometry).map((polygon) =>
    cleanRings(
      polygon.flatMap((ring) => roundOnTile(tile, ring, (points) => [clipPolygon(points, clipBox)])),
    ),
  )
  for (let round = 0; round < maxUntanglings; round++) {
    const untangled = untangle(polygons, budget)
    if (!untangled) break
    polygons = untangled.map((rings) => cleanRings(rings.map((ring) => ring.map(roundPoint))))
  }
  return polygons.flatMap((rings) => rings.map((ring, index) => wound(ring, index === 0)))
}

export function tileRing(ring: readonly Point[]): Point[] | undefined {
  const isWhole = ring.every(([x, y]) => isInside(x, y))
  return cleanRing((isWhole ? ring : clipPolygon([...ring], clipBox)).map(roundPoint))
}

function cleanRings(rings: readonly Point[][]): Point[][] {
  const [outer, ...holes] = rings.map(cleanRing)
  return outer ? [outer, ...holes.filter((hole) => hole !== undefined)] : []
}

function cleanRing(points: Point[]): Point[] | undefined {
  if (points.length < 3) return undefined
  const ring = isClean(points) ? points : withoutSpikes(withoutRepeats([...points, points[0] as Point]))
  return ring.length >= 4 && signedArea(ring) !== 0 ? ring : undefined
}

function isClean(points: readonly Point[]): boolean {
  const last = points.length - 1
  if (!isSame(points[0] as Point, points[last] as Point)) return false
  let from = points[last - 1] as Point
  for (let index = 0; index < last; index++) {
    const at = points[index] as Point
    if (orientation(from, at, points[index + 1] as Point) === 0) return false
    from = at
  }
  return true
}

/**
 * Rounding makes points collinear or folds thin corners, which other programs reject. Removing such points does
 * not change the area.
 */
function withoutSpikes([_, ...points]: readonly Point[]): Point[] {
  const corners: Point[] = []
  const isIdle = (from: Point | undefined, at: Point | undefined, to: Point | undefined) =>
    from !== undefined && at !== undefined && to !== undefined && orientation(from, at, to) === 0
  for (const point of points) {
    while (corners.length >= 2 && isIdle(corners.at(-2), corners.at(-1), point)) corners.pop()
    corners.push(point)
  }
  // Repeats for the corners at the end of the ring.
  for (let length = 0; length !== corners.length && corners.length >= 3; ) {
    length = corners.length
    if (isIdle(corners.at(-2), corners.at(-1), corners[0])) corners.pop()
    else if (isIdle(corners.at(-1), corners[0], corners[1])) corners.shift()
  }
  return corners.length >= 3 ? [...corners, corners[0] as Point] : []
}

function wound(ring: Point[], isClockwise: boolean): Point[] {
  return signedArea(ring) > 0 === isClockwise ? ring : ring.toReversed()
}

/** Twice the area; positive for clockwise rings, since y points down. */
function signedArea(ring: readonly Point[]): number {
  let sum = 0
  for (let index = 1; index < ring.length; index++) {
    const [from, to] = [ring[index - 1] as Point, ring[index] as Point]
    sum += from[0] * to[1] - to[0] * from[1]
  }
  return sum
}
