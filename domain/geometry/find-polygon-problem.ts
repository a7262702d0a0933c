import type { Position } from '#domain/geometry/geometry.schema.ts'
import { type Box, boxOfSegment, meetingOf, orientation, type Segment } from './segments.ts'
import { touchingPairs } from './touching-pairs.ts'

// Validity of polygons by OGC Simple Features (ISO 19125), as in PostGIS.

type PolygonProblem = { what: string; at: Position }

/** Without edges of zero length. `next` is an edge index. */
type Edge = Segment<Position> & { polygon: number; ring: number; next: number }
type Ring = { polygon: number; isOuter: boolean; edges: Edge[]; box: Box }

/** Comparing two edges costs as much as this many edges in a point-in-polygon test. */
const stepsOfPair = 16

/** Steps can grow with the square of the corners, or faster. */
class Effort {
  private left: number

  constructor(most: number) {
    this.left = most
  }

  spend(steps: number) {
    this.left -= steps
    if (this.left < 0) throw new TooMuchEffort()
  }
}
class TooMuchEffort extends Error {}

export const tooManyEdges = 'has too many edges close together to check. Draw it with fewer corners'

/** Rings are closed and have at least 4 positions. Exceeding `maxSteps` is a problem, too. */
export function findPolygonProblem(
  polygons: readonly (readonly Position[][])[],
  maxSteps = Number.POSITIVE_INFINITY,
): PolygonProblem | undefined {
  try {
    return findProblem(polygons, new Effort(maxSteps))
  } catch (error) {
    if (!(error instanceof TooMuchEffort)) throw error
    const at = polygons[0]?.[0]?.[0] as Position
    return { what: tooManyEdges, at }
  }
}

function findProblem(
  polygons: readonly (readonly Position[][])[],
  effort: Effort,
): PolygonProblem | undefined {
  const rings = ringsOf(polygons)
  const collapsed = rings.findIndex((ring) => ring.edges.length < 3)
  if (collapsed >= 0) {
    const first = polygons.flat()[collapsed]?.[0] as Position
    return { what: 'has a ring with fewer than 3 different positions', at: first }
  }
  const touches = new TouchGraph()
  return findMeeting(rings, touches, effort) ?? findMisplaced(rings, touches, effort)
}

function ringsOf(polygons: readonly (readonly Position[][])[]): Ring[] {
  const rings: Ring[] = []
  let count = 0
  for (const [polygon, rows] of polygons.entries()) {
    for (const [index, row] of rows.entries()) {
      const edges = edgesOfRing(row, { polygon, ring: rings.length }, count)
      count += edges.length
      rings.push({ polygon, isOuter: index === 0, edges, box: boxOfPositions(row) })
    }
  }
  return rings
}

function edgesOfRing(
  ring: readonly Position[],
  owner: { polygon: number; ring: number },
  start: number,
): Edge[] {
  const edges: Edge[] = []
  for (let index = 1; index < ring.length; index++) {
    const from = ring[index - 1] as Position
    const to = ring[index] as Position
    if (from[0] === to[0] && from[1] === to[1]) continue
    const number = start + edges.length
    edges.push({ from, to, ...owner, next: number + 1 })
  }
  const last = edges.at(-1)
  if (last) last.next = start
  return edges
}

function boxOfPositions(positions: readonly Position[]): Box {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of positions) {
    if (x < box[0]) box[0] = x
    if (y < box[1]) box[1] = y
    if (x > box[2]) box[2] = x
    if (y > box[3]) box[3] = y
  }
  return box
}

/** Records touches of rings, which are allowed. Reports crossings before touches. */
function findMeeting(
  rings: readonly Ring[],
  touches: TouchGraph,
  effort: Effort,
): PolygonProblem | undefined {
  let touch: PolygonProblem | undefined
  const edges = rings.flatMap((ring) => ring.edges)
  for (const [first, second] of touchingPairs(edges.map(boxOfSegment))) {
    effort.spend(stepsOfPair)
    const [a, b] = [edges[first] as Edge, edges[second] as Edge]
    const meeting = meetingOf(a, b)
    if (!meeting) continue
    const { how, at } = meeting
    if (how === 'overlap') return { what: 'overlaps itself along an edge', at }
    if (how === 'cross') return { what: 'crosses itself', at }
    if (a.ring === b.ring) {
      const areNeighbours = a.next === second || b.next === first
      if (!areNeighbours) touch ??= { what: 'touches itself', at }
    } else if (touches.add(a.ring, b.ring, at, a.polygon === b.polygon))
      touch ??= { what: 'is split by rings that touch', at }
  }
  return touch
}

/** Rings that do not cross, but lie on the wrong side of each other. */
function findMisplaced(
  rings: readonly Ring[],
  touches: TouchGraph,
  effort: Effort,
): PolygonProblem | undefined {
  const ringsOfPolygon = Map.groupBy(rings.keys(), (ring) => (rings[ring] as Ring).polygon)
  for (const [number, ring] of rings.entries()) {
    if (ring.isOuter) continue
    const [start] = touches.chainStarts(number, ring.edges)
    const outer = ringsOfPolygon.get(ring.polygon)?.[0] ?? number
    if (start && !isInside(start, [rings[outer] as Ring], effort))
      return { what: 'has a hole outside its outer ring', at: start }
  }
  for (const [first, second] of touchingPairs(rings.map((ring) => ring.box))) {
    effort.spend(stepsOfPair)
    for (const [inner, outer] of [
      [first, second],
      [second, first],
    ] as const) {
      const [a, b] = [rings[inner] as Ring, rings[outer] as Ring]
      if (a.polygon === b.polygon) {
        const [start] = a.isOuter || b.isOuter ? [] : touches.chainStarts(inner, a.edges)
        if (start && isInside(start, [b], effort)) return { what: 'has a hole inside a hole', at: start }
      } else if (a.isOuter && b.isOuter) {
        const other = (ringsOfPolygon.get(b.polygon) ?? []).map((ring) => rings[ring] as Ring)
        const overlap = touches.chainStarts(inner, a.edges).find((start) => isInside(start, other, effort))
        if (overlap) return { what: 'has parts that overlap', at: overlap }
      }
    }
  }
  return undefined
}

/** Even-odd rule, exact for points on no edge. */
function isInside(point: Position, rings: readonly Ring[], effort: Effort): boolean {
  let isIn = false
  for (const { edges } of rings) {
    effort.spend(edges.length)
    for (const { from, to } of edges) {
      if (from[1] > point[1] === to[1] > point[1]) continue
      const side = orientation(from, to, point)
      if (side > 0 === to[1] > from[1] && side !== 0) isIn = !isIn
    }
  }
  return isIn
}

const keyOf = (at: Position) => `${at[0]},${at[1]}`

export class TouchGraph {
  private readonly parents = new Map<string, string>()
  private readonly edges = new Set<string>()
  private readonly points = new Map<number, Set<string>>()

  /** Returns true if the touch closes a loop of rings of one polygon, which cuts its interior in two. */
  add(first: number, second: number, at: Position, isOnePolygon: boolean): boolean {
    for (const ring of [first, second]) {
      const points = this.points.get(ring) ?? new Set()
      this.points.set(ring, points.add(keyOf(at)))
    }
    if (!isOnePolygon) return false
    const closesLoop = [first, second].map((ring) => this.join(`ring ${ring}`, keyOf(at)))
    return closesLoop.includes(true)
  }

  /** One point per stretch between touches, on no other ring. */
  chainStarts(ring: number, segments: readonly Segment<Position>[]): Position[] {
    const points = this.points.get(ring)
    const isTouch = (at: Position) => points?.has(keyOf(at)) ?? false
    const starts: Position[] = []
    for (const { from, to } of segments) {
      if (isTouch(from)) starts.push(isTouch(to) ? [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] : to)
    }
    const free = segments.find(({ from }) => !isTouch(from))
    return starts.length === 0 && free ? [free.from] : starts
  }

  private join(ring: string, point: string): boolean {
    const edge = `${ring} ${point}`
    if (this.edges.has(edge)) return false
    this.edges.add(edge)
    const [a, b] = [this.root(ring), this.root(point)]
    this.parents.set(a, b)
    return a === b
  }

  private root(node: string): string {
    let root = node
    for (let parent = this.parents.get(root); parent && parent !== root; parent = this.parents.get(root))
      root = parent
    this.parents.set(node, root)
    return root
  }
}
