import { type Geom, union } from 'polyclip-ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { touchingPairs } from '../geometry/segments.ts'

// Rounding to the grid of a tile may lay one side of a narrow strip across the other. Map engines draw that as well as
// anything; programs that measure or cut shapes take offence.

type Point = readonly [x: number, y: number]
type Edge = Readonly<{ from: Point; to: Point }>

/** Whether edges of polygons cross or lie on each other; that they touch is left to them. Rings are closed. */
export function isTangled(polygons: readonly (readonly (readonly Point[])[])[]): boolean {
  const edges: Edge[] = []
  for (const rings of polygons)
    for (const ring of rings)
      for (let index = 1; index < ring.length; index++)
        edges.push({ from: ring[index - 1] as Point, to: ring[index] as Point })
  // Nearly all polygons have few edges, and a tile has thousands of polygons: no boxes are made for those.
  if (edges.length < fewEdges) {
    for (let first = 0; first < edges.length; first++)
      for (let second = first + 1; second < edges.length; second++)
        if (areTangled(edges[first] as Edge, edges[second] as Edge)) return true
    return false
  }
  for (const [first, second] of touchingPairs(edges.map(boxOf)))
    if (areTangled(edges[first] as Edge, edges[second] as Edge)) return true
  return false
}

const fewEdges = 24

const boxOf = ({ from, to }: Edge) =>
  [
    Math.min(from[0], to[0]),
    Math.min(from[1], to[1]),
    Math.max(from[0], to[0]),
    Math.max(from[1], to[1]),
  ] as const

/** On which side of an edge a point lies; 0 on its line. Coordinates are small whole numbers: products are exact. */
const sideOf = ({ from, to }: Edge, point: Point) =>
  (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])

function areTangled(one: Edge, other: Edge): boolean {
  const [start, end] = [sideOf(one, other.from), sideOf(one, other.to)]
  if (start === 0 && end === 0) return lieOnEachOther(one, other)
  return start * end < 0 && sideOf(other, one.from) * sideOf(other, one.to) < 0
}

/** Edges of one straight line: more than a point of it is in both. */
function lieOnEachOther(one: Edge, other: Edge): boolean {
  const [west, north, east, south] = boxOf(one)
  const [otherWest, otherNorth, otherEast, otherSouth] = boxOf(other)
  const width = Math.min(east, otherEast) - Math.max(west, otherWest)
  const height = Math.min(south, otherSouth) - Math.max(north, otherNorth)
  return width >= 0 && height >= 0 && width + height > 0
}

/** The same land as polygons whose edges do not cross; not rounded. */
export function untangle(polygons: readonly (readonly (readonly Point[])[])[]): Position[][][] {
  return union(polygons.filter((rings) => rings.length > 0) as unknown as Geom) as Position[][][]
}
