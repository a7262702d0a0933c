import { type Geom, union } from 'polyclip-ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { boxOfSegment, meetingOf, type Segment } from '#domain/geometry/segments.ts'
import { touchingPairs } from '#domain/geometry/touching-pairs.ts'

// Rounding to the grid of a tile may lay one side of a narrow strip across the other. Map engines draw that as well as
// anything; programs that measure or cut polygons take offence.

type Point = readonly [x: number, y: number]
type Edge = Segment<Point>

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
  for (const [first, second] of touchingPairs(edges.map(boxOfSegment)))
    if (areTangled(edges[first] as Edge, edges[second] as Edge)) return true
  return false
}

const fewEdges = 24

function areTangled(one: Edge, other: Edge): boolean {
  const how = meetingOf(one, other)?.how
  return how === 'cross' || how === 'overlap'
}

/** The same land as polygons whose edges do not cross; not rounded. */
export function untangle(polygons: readonly (readonly (readonly Point[])[])[]): Position[][][] {
  return union(polygons.filter((rings) => rings.length > 0) as unknown as Geom) as Position[][][]
}
