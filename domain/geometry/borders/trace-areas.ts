import { covers } from '../covers.ts'
import type { Geometry, Position } from '../geometry.schema.ts'
import { extentOfGeometry, polygonsOfGeometry } from '../measure-geometry.ts'
import type { Segment } from '../segments.ts'
import { cornerKey } from './corners.ts'

export type Polygon = Position[][]
export type DirectedEdge = Segment<Position>

/** Edges of areas, with the area on their left. */
export function directedEdges(geometry: Geometry): DirectedEdge[] {
  return polygonsOfGeometry(geometry).flatMap((rings) =>
    rings.flatMap((ring, index) => {
      const isCounterclockwise = signedArea(ring) > 0
      const turned = isCounterclockwise === (index === 0) ? ring : ring.toReversed()
      return turned.slice(1).map((to, at) => ({ from: turned[at] as Position, to }))
    }),
  )
}

export const edgeKey = ({ from, to }: DirectedEdge) => `${cornerKey(from)} to ${cornerKey(to)}`

/** Joins edges into areas with holes. Each area is connected inside: two that touch at a corner are separate. */
export function traceAreas(edges: readonly DirectedEdge[]): Polygon[] {
  const loops = tracePaths(edges)
    .filter((path) => cornerKey(path[0] as Position) === cornerKey(path.at(-1) as Position))
    .flatMap(cutAtRepeats)
  const areas: Polygon[] = loops.filter((ring) => signedArea(ring) > 0).map((ring) => [ring])
  const holes = loops.filter((ring) => signedArea(ring) < 0)
  if (areas.length === 1) return [[...(areas[0] as Polygon), ...holes]]
  const places = areas.map(([outer = []]) => ({
    outer,
    size: signedArea(outer),
    corners: new Set(outer.map(cornerKey)),
    edges: new Set(outer.slice(1).map((to, at) => edgeKey({ from: outer[at] as Position, to }))),
    ...extentOfGeometry({ type: 'LineString', coordinates: outer }),
  }))
  for (const hole of holes) {
    // The smallest one, as areas may lie in holes of others.
    const around = places.filter((place) => isWithin(hole, place)).sort((one, other) => one.size - other.size)
    const index = around[0] ? places.indexOf(around[0]) : -1
    areas[index]?.push(hole)
  }
  return areas
}

/** Rings that pass each corner once: outer ones counterclockwise, holes clockwise. Ignores edges that enclose nothing. */
export const traceLoops = (edges: readonly DirectedEdge[]): Position[][] =>
  tracePaths(edges).flatMap(cutAtRepeats)

type Place = {
  outer: Position[]
  corners: ReadonlySet<string>
  edges: ReadonlySet<string>
  west: number
  south: number
  east: number
  north: number
}

/** Rings do not cross, so that one corner decides. */
function isWithin(
  hole: readonly Position[],
  { outer, corners, edges, west, south, east, north }: Place,
): boolean {
  const [first, next] = hole as [Position, Position]
  const [[lng, lat], [nextLng, nextLat]] = [first, next]
  // The outside of this area.
  if (edges.has(edgeKey({ from: next, to: first }))) return false
  if (lng < west || lng > east || lat < south || lat > north) return false
  const inner = hole.find((corner) => !corners.has(cornerKey(corner)))
  const middle: Position = [(lng + nextLng) / 2, (lat + nextLat) / 2]
  return covers({ type: 'Polygon', coordinates: [outer] }, inner ?? middle)
}

/** Follows the area on the left: at a corner with several edges, takes the sharpest turn to the left. */
function tracePaths(edges: readonly DirectedEdge[]): Position[][] {
  const leaving = new Map<string, Set<DirectedEdge>>()
  for (const edge of edges) {
    const key = cornerKey(edge.from)
    leaving.set(key, (leaving.get(key) ?? new Set()).add(edge))
  }
  const paths: Position[][] = []
  for (const start of edges) {
    if (!leaving.get(cornerKey(start.from))?.has(start)) continue
    const ring = [start.from]
    let edge = start
    for (;;) {
      leaving.get(cornerKey(edge.from))?.delete(edge)
      ring.push(edge.to)
      const next = sharpestLeft(edge, leaving.get(cornerKey(edge.to)) ?? new Set())
      if (!next) break
      edge = next
    }
    paths.push(ring)
  }
  return paths
}

function sharpestLeft(
  { from, to }: DirectedEdge,
  choices: ReadonlySet<DirectedEdge>,
): DirectedEdge | undefined {
  const back = Math.atan2(from[1] - to[1], from[0] - to[0])
  let best: DirectedEdge | undefined
  let smallest = Number.POSITIVE_INFINITY
  for (const choice of choices) {
    const angle = Math.atan2(choice.to[1] - to[1], choice.to[0] - to[0])
    // Clockwise from the way back; straight back is the last choice.
    const turn = (((back - angle) % full) + full) % full || full
    if (turn < smallest) [best, smallest] = [choice, turn]
  }
  return best
}

const full = 2 * Math.PI

/** Rings that pass a corner twice become several. */
function cutAtRepeats(ring: readonly Position[]): Position[][] {
  const loops: Position[][] = []
  const path: Position[] = []
  const places = new Map<string, number>()
  for (const corner of ring) {
    const key = cornerKey(corner)
    const start = places.get(key)
    if (start !== undefined) {
      const loop = path.splice(start + 1)
      for (const one of loop) places.delete(cornerKey(one))
      if (loop.length >= 2) loops.push([path[start] as Position, ...loop, path[start] as Position])
      continue
    }
    places.set(key, path.length)
    path.push(corner)
  }
  return loops
}

/** In square degrees; positive if counterclockwise. */
export function signedArea(ring: readonly Position[]): number {
  const [x, y] = ring[0] ?? [0, 0]
  let sum = 0
  for (let index = 1; index < ring.length; index++) {
    const [from, to] = [ring[index - 1] as Position, ring[index] as Position]
    sum += (from[0] - x) * (to[1] - y) - (to[0] - x) * (from[1] - y)
  }
  return sum / 2
}

/** In square degrees. */
export function planarArea(geometry: Geometry): number {
  return polygonsOfGeometry(geometry).reduce(
    (sum, [outer = [], ...holes]) =>
      sum + Math.abs(signedArea(outer)) - holes.reduce((all, hole) => all + Math.abs(signedArea(hole)), 0),
    0,
  )
}

export const geometryOfAreas = (areas: readonly Polygon[]): Geometry =>
  areas.length === 1
    ? { type: 'Polygon', coordinates: areas[0] as Polygon }
    : { type: 'MultiPolygon', coordinates: [...areas] }
