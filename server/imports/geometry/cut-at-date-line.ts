import { type Geom, intersection } from 'polyclip-ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { Refusal } from '../import-error.ts'

/**
 * Shapes over the date line are cut there, as RFC 7946 (3.1.9) wants them: a map knows no land from 179 to -179. An
 * edge that would go more than half around the world goes the other way. Undefined where nothing has to be cut.
 */
export function cutAtDateLine(geometry: Geometry): Geometry | undefined {
  switch (geometry.type) {
    case 'Polygon':
    case 'MultiPolygon': {
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      if (!polygons.some((polygon) => polygon.some(isOver))) return undefined
      const parts = polygons.flatMap((polygon) => (polygon.some(isOver) ? cutPolygon(polygon) : [polygon]))
      if (parts.length === 0) throw new Refusal('its polygon lies over the date line, and encloses nothing')
      return ofPolygons(parts)
    }
    case 'LineString':
    case 'MultiLineString': {
      const lines = geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates
      if (!lines.some(isOver)) return undefined
      return {
        type: 'MultiLineString',
        coordinates: lines.flatMap((line) => (isOver(line) ? cutLine(line) : [line])),
      }
    }
    case 'Point':
    case 'MultiPoint':
      return undefined
  }
}

/** An edge of 360 degrees leads along the edge of the map, not over it. */
const isJump = (from: Position, to: Position) => {
  const degrees = Math.abs(to[0] - from[0])
  return degrees > 180 && degrees < 360
}

function isOver(positions: readonly Position[]): boolean {
  return positions.some((to, index) => index > 0 && isJump(positions[index - 1] as Position, to))
}

/** The same places with longitudes that go on beyond 180 instead of jumping. */
function unroll(positions: readonly Position[]): Position[] {
  let turns = 0
  return positions.map((to, index) => {
    const from = positions[index - 1]
    if (from && isJump(from, to)) turns += to[0] < from[0] ? 360 : -360
    return [to[0] + turns, to[1]]
  })
}

const worlds = [-360, 0, 360]

function cutPolygon(rings: readonly Position[][]): Position[][][] {
  const [outer = [], ...holes] = rings.map(unroll)
  if (outer[0]?.[0] !== outer.at(-1)?.[0])
    throw new Refusal('its polygon goes around a pole; cut it at longitude 180 into parts that do not')
  const [west, east] = [Math.min(...outer.map(([x]) => x)), Math.max(...outer.map(([x]) => x))]
  const inPlace = holes.map((hole) => {
    const [x] = hole[0] as Position
    const turns = x < west ? 360 : x > east ? -360 : 0
    return shift(hole, turns)
  })
  return worlds.flatMap((turns) => {
    const box: Position[] = [
      [turns - 180, -90],
      [turns + 180, -90],
      [turns + 180, 90],
      [turns - 180, 90],
      [turns - 180, -90],
    ]
    return clip([outer, ...inPlace], box).map((part) => part.map((ring) => shift(ring, -turns)))
  })
}

function clip(polygon: Position[][], box: Position[]): Position[][][] {
  try {
    return intersection(polygon as Geom, [box] as Geom)
  } catch (error) {
    throw new Refusal(
      `its polygon lies over the date line and could not be cut there (${(error as Error).message})`,
    )
  }
}

const shift = (positions: readonly Position[], degrees: number): Position[] =>
  positions.map(([x, y]) => [x + degrees, y])

function ofPolygons(polygons: Position[][][]): Geometry {
  const [only] = polygons
  return polygons.length === 1 && only
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons }
}

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
  // A vertex on the line itself leaves a part of one place.
  return parts.filter(([first, ...others]) =>
    others.some((at) => at[0] !== first?.[0] || at[1] !== first?.[1]),
  )
}
