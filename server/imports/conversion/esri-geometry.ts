import { covers } from '#domain/geometry/covers.ts'
import { maxVertices, type Position } from '#domain/geometry/geometry.schema.ts'

// Shapes of the ArcGIS REST API ("Geometry objects") as GeoJSON, unchecked: what is wrong with them is told of their row.

type Shape = { type: string; coordinates: unknown }

/** Null for a feature without a place; undefined for curves, which have no corners. */
export function shapeOfEsri(geometry: unknown): Shape | null | undefined {
  if (typeof geometry !== 'object' || geometry === null) return null
  const { x, y, points, paths, rings, curvePaths, curveRings } = geometry as Readonly<Record<string, unknown>>
  if (curvePaths !== undefined || curveRings !== undefined) return undefined
  if (x !== undefined || y !== undefined)
    return isNumber(x) && isNumber(y) ? { type: 'Point', coordinates: [x, y] } : null
  if (points !== undefined) return { type: 'MultiPoint', coordinates: points }
  if (paths !== undefined) return oneOrMany('LineString', paths)
  if (rings === undefined) return null
  return oneOrMany('Polygon', areRings(rings) ? polygonsOf(rings) : rings)
}

/** An empty point has NaN, as text. */
const isNumber = (value: unknown) => typeof value === 'number' || /^\s*[-+]?[\d.]/.test(String(value ?? ''))

const oneOrMany = (type: string, parts: unknown): Shape =>
  Array.isArray(parts) && parts.length === 1
    ? { type, coordinates: parts[0] }
    : { type: `Multi${type}`, coordinates: parts }

function areRings(value: unknown): value is Position[][] {
  if (!Array.isArray(value)) return false
  let count = 0
  return value.every((ring) => {
    count += Array.isArray(ring) ? ring.length : 0
    // More are refused in any case.
    return Array.isArray(ring) && ring.length >= 4 && count <= maxVertices && ring.every(isPosition)
  })
}

const isPosition = (value: unknown) =>
  Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1])

type Placed = { ring: Position[]; area: number; box: Box; holes: Position[][] | null }
type Box = readonly [west: number, south: number, east: number, north: number]

/** A ring inside of another is its hole, and one inside of a hole is a part again, whichever way round they go. */
function polygonsOf(rings: readonly Position[][]): Position[][][] {
  const placed: Placed[] = rings
    .map((ring) => ({ ring, area: Math.abs(areaOf(ring)), box: boxOf(ring), holes: null }))
    .sort((one, other) => other.area - one.area)
  for (const [index, one] of placed.entries()) {
    const around = placed.slice(0, index).findLast((other) => isInside(one, other))
    if (around?.holes) around.holes.push(one.ring)
    else one.holes = []
  }
  return placed.flatMap(({ ring, holes }) => (holes ? [[ring, ...holes]] : []))
}

function isInside({ ring, box }: Placed, { ring: around, box: boxAround }: Placed): boolean {
  const [west, south, east, north] = boxAround
  if (box[0] < west || box[1] < south || box[2] > east || box[3] > north) return false
  // Rings may touch in a corner.
  return ring.slice(0, 4).every((corner) => covers({ type: 'Polygon', coordinates: [around] }, corner))
}

/** Twice of it, in the plane. */
function areaOf(ring: readonly Position[]): number {
  const [[left, bottom]] = ring as [Position]
  return ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length] as Position
    return sum + (x - left) * (nextY - bottom) - (nextX - left) * (y - bottom)
  }, 0)
}

function boxOf(ring: readonly Position[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of ring) {
    west = Math.min(west, x)
    south = Math.min(south, y)
    east = Math.max(east, x)
    north = Math.max(north, y)
  }
  return [west, south, east, north]
}
