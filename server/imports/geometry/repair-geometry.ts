import { type Geom, intersection, union } from 'polyclip-ts'
import { findPolygonProblem } from '#domain/geometry/find-polygon-problem.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { Refusal } from '../import-error.ts'

export type CheckedGeometry = { geometry: Geometry; repaired?: string }

/**
 * Cuts a geometry at the date line, then repairs polygons that cross themselves. Throws a Refusal if it is empty then.
 */
export function repairGeometry(geometry: Geometry): CheckedGeometry {
  const cut = cutAtDateLine(geometry)
  const checked = repairPolygons(cut ?? geometry)
  if (!cut) return checked
  const words = ['it was split at the date line', checked.repaired].filter(Boolean)
  return { ...checked, repaired: words.join('; ') }
}

/** A ring that returns in the other direction leaves a hole. */
function repairPolygons(geometry: Geometry): CheckedGeometry {
  const polygons = polygonsOfGeometry(geometry)
  const problem = polygons.length > 0 ? findPolygonProblem(polygons) : undefined
  if (!problem) return { geometry }
  const [lng, lat] = problem.at
  const repaired = `its polygon ${problem.what} near ${lng.toFixed(6)}, ${lat.toFixed(6)}`
  let united: Position[][][]
  try {
    united = union(polygons as Geom)
  } catch (error) {
    throw new Refusal(`${repaired} and could not be repaired (${(error as Error).message})`)
  }
  if (united.length === 0) throw new Refusal(`${repaired} and has no area`)
  const remaining = findPolygonProblem(united)
  if (remaining) throw new Refusal(`${repaired} and could not be repaired: it still ${remaining.what}`)
  return { geometry: fromPolygons(united), repaired }
}

function fromPolygons(polygons: Position[][][]): Geometry {
  const [only] = polygons
  return polygons.length === 1 && only
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons }
}

/**
 * As RFC 7946 (3.1.9) requires: no area of a map reaches from 179 to -179. Edges of more than half the world go the
 * other way around. Undefined if there is nothing to cut.
 */
function cutAtDateLine(geometry: Geometry): Geometry | undefined {
  const polygons = polygonsOfGeometry(geometry)
  if (polygons.some((polygon) => polygon.some(crosses))) {
    const parts = polygons.flatMap((polygon) => (polygon.some(crosses) ? cutPolygon(polygon) : [polygon]))
    if (parts.length === 0) throw new Refusal('its polygon crosses the date line and has no area')
    return fromPolygons(parts)
  }
  if (geometry.type !== 'LineString' && geometry.type !== 'MultiLineString') return undefined
  const lines = geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates
  if (!lines.some(crosses)) return undefined
  return {
    type: 'MultiLineString',
    coordinates: lines.flatMap((line) => (crosses(line) ? cutLine(line) : [line])),
  }
}

/** An edge of 360 degrees follows the edge of the map and does not cross it. */
const isJump = (from: Position, to: Position) => {
  const degrees = Math.abs(to[0] - from[0])
  return degrees > 180 && degrees < 360
}

const crosses = (positions: readonly Position[]) =>
  positions.some((to, index) => index > 0 && isJump(positions[index - 1] as Position, to))

function unroll(positions: readonly Position[]): Position[] {
  let turns = 0
  return positions.map((to, index) => {
    const from = positions[index - 1]
    if (from && isJump(from, to)) turns += to[0] < from[0] ? 360 : -360
    return [to[0] + turns, to[1]]
  })
}

function cutPolygon(rings: readonly Position[][]): Position[][][] {
  const [outer = [], ...holes] = rings.map(unroll)
  if (outer[0]?.[0] !== outer.at(-1)?.[0])
    throw new Refusal('its polygon includes a pole; split it at longitude 180')
  const [west, east] = [Math.min(...outer.map(([x]) => x)), Math.max(...outer.map(([x]) => x))]
  const inPlace = holes.map((hole) => {
    const [x] = hole[0] as Position
    return shift(hole, x < west ? 360 : x > east ? -360 : 0)
  })
  return [-360, 0, 360].flatMap((turns) => {
    const world: Position[] = [
      [turns - 180, -90],
      [turns + 180, -90],
      [turns + 180, 90],
      [turns - 180, 90],
      [turns - 180, -90],
    ]
    return clip([outer, ...inPlace], world).map((part) => part.map((ring) => shift(ring, -turns)))
  })
}

function clip(polygon: Position[][], box: Position[]): Position[][][] {
  try {
    return intersection(polygon as Geom, [box] as Geom)
  } catch (error) {
    throw new Refusal(
      `its polygon crosses the date line and could not be split there (${(error as Error).message})`,
    )
  }
}

const shift = (positions: readonly Position[], degrees: number): Position[] =>
  positions.map(([x, y]) => [x + degrees, y])

function cutLine(line: readonly Position[]): Position[][] {
  const parts: Position[][] = []
  let part: Position[] = []
  for (const [index, to] of line.entries()) {
    const from = line[index - 1]
    if (from && isJump(from, to)) {
      const side = from[0] > 0 ? 180 : -180
      const before = Math.abs(side - from[0])
      const behind = Math.abs(-side - to[0])
      const lat = from[1] + ((to[1] - from[1]) * before) / (before + behind)
      parts.push([...part, [side, lat]])
      part = [[-side, lat]]
    }
    part.push(to)
  }
  parts.push(part)
  // A vertex on the date line leaves a part with a single position.
  return parts.filter(([first, ...others]) => others.some((one) => String(one) !== String(first)))
}
