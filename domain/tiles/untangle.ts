import { type Geom, union } from 'polyclip-ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { boxOfSegment, meetingOf, type Segment } from '#domain/geometry/segments.ts'
import { touchingPairs } from '#domain/geometry/touching-pairs.ts'

// Rounding to the grid of a tile may lay one side of a narrow strip across the other. Map engines draw that as well as
// anything; programs that measure or cut polygons take offence.

type Point = readonly [x: number, y: number]
type Edge = Segment<Point>
type Polygons = readonly (readonly (readonly Point[])[])[]

/** Edges and tangles of one shape: the union of that many takes about 0.2 s. */
const mostOfShape = 1_000

/** The work left for the polygons of one tile. Polygons that would take more stay tangled. */
export class UntanglingBudget {
  /** Edges to index and pairs of them to compare: about 0.4 s. */
  pairs = 2_000_000
  /** Edges and tangles in unions: about 1 s. */
  parts = 5_000
}

/**
 * The same land as polygons whose edges do not cross; not rounded. Undefined if they do not cross, and if they cannot be
 * untangled within the budget. Rings are closed.
 */
export function untangle(polygons: Polygons, budget: UntanglingBudget): Position[][][] | undefined {
  const edges = polygons.flatMap((rings) => rings.flatMap(edgesOf))
  const mostTangles = Math.min(mostOfShape, budget.parts) - edges.length
  if (mostTangles <= 0) return undefined
  const tangles = countTangles(edges, mostTangles, budget)
  if (tangles === 0 || tangles > mostTangles) return undefined
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

/**
 * Counts pairs of edges that cross or lie on each other; that they touch is left to them. Stops counting above `most`;
 * infinity if the budget does not last.
 */
function countTangles(edges: readonly Edge[], most: number, budget: UntanglingBudget): number {
  let tangles = 0
  // Nearly all polygons have few edges, and a tile has thousands of polygons: no boxes are made for those.
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
