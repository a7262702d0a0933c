import { type Geom, union } from 'polyclip-ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { boxOfSegment, meetingOf, type Segment } from '#domain/geometry/segments.ts'
import { touchingPairs } from '#domain/geometry/touching-pairs.ts'

// Rounding to the grid of a tile can make the sides of narrow strips cross. Map engines draw that well, but programs
// that measure or cut polygons reject it.

type Point = readonly [x: number, y: number]
type Edge = Segment<Point>
type Polygons = readonly (readonly (readonly Point[])[])[]

/** Edges and crossings of one shape: their union takes about 0.2 s. */
const maxOfShape = 1_000

/** More expensive polygons stay tangled. */
export class UntanglingBudget {
  /** Edges to index and pairs to compare: about 0.4 s. */
  pairs = 2_000_000
  /** Edges and crossings in unions: about 1 s. */
  parts = 5_000
}

/** Returns the same land, not rounded; undefined if no edges cross, or beyond the budget. Rings are closed. */
export function untangle(polygons: Polygons, budget: UntanglingBudget): Position[][][] | undefined {
  const edges = polygons.flatMap((rings) => rings.flatMap(edgesOf))
  const maxTangles = Math.min(maxOfShape, budget.parts) - edges.length
  if (maxTangles <= 0) return undefined
  const tangles = countTangles(edges, maxTangles, budget)
  if (tangles === 0 || tangles > maxTangles) return undefined
  budget.parts -= edges.length + tangles
  try {
    return union(polygons.filter((rings) => rings.length > 0) as unknown as Geom) as Position[][][]
  } catch {
    // Known weakness: the library fails for some shapes ('Unable to complete output ring').
    return undefined
  }
}

function edgesOf(ring: readonly Point[]): Edge[] {
  const edges: Edge[] = []
  for (let index = 1; index < ring.length; index++)
    edges.push({ from: ring[index - 1] as Point, to: ring[index] as Point })
  return edges
}

/** Pairs of edges that cross or overlap, without mere touches. Stops above `most`; infinity beyond the budget. */
function countTangles(edges: readonly Edge[], most: number, budget: UntanglingBudget): number {
  let tangles = 0
  if (edges.length < fewEdges) {
    for (let first = 0; first < edges.length; first++)
      for (let second = first + 1; second < edges.length; second++)
        if (areTangled(edges[first] as Edge, edges[second] as Edge)) tangles++
    return tangles
  }
  if (budget.pairs < edges.length) return Number.POSITIVE_INFINITY
  budget.pairs -= edges.length
  for (const [first, second] of touchingPairs(edges.map(boxOfSegment))) {
    if (budget.pairs === 0) return Number.POSITIVE_INFINITY
    budget.pairs--
    if (areTangled(edges[first] as Edge, edges[second] as Edge)) tangles++
    if (tangles > most) break
  }
  return tangles
}

const fewEdges = 24

function areTangled(one: Edge, other: Edge): boolean {
  const how = meetingOf(one, other)?.how
  return how === 'cross' || how === 'overlap'
}
