import { type Geom, intersection } from 'polyclip-ts'
import { cornerKey, roundPosition } from '#domain/geometry/borders/corners.ts'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import {
  type DirectedEdge,
  edgeKey,
  geometryOfAreas,
  isWithin,
  type Polygon,
  planarArea,
  signedArea,
  traceLoops,
} from '#domain/geometry/borders/trace-areas.ts'
import { findPolygonProblem, tooManyEdges } from '#domain/geometry/find-polygon-problem.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import {
  extentOfGeometry,
  locationOfGeometry,
  polygonsOfGeometry,
} from '#domain/geometry/measure-geometry.ts'
import { within } from '#domain/geometry/overlap.ts'
import type { Box } from '#domain/geometry/segments.ts'
import {
  areaOf,
  type Border,
  BorderNetwork,
  batch,
  type Corner,
  indexOf,
  meetsBox,
} from './border-network.ts'
import {
  cornerTolerance,
  isRealArea,
  isSliver,
  type LandProblem,
  maxSpikeAngle,
  nearCornersKey,
  type ProblemClass,
  problemClasses,
  scaleAt,
  squareMetersOf,
} from './land-problem.ts'

export type LandCheck = {
  /** By class, the largest first. At most `maxProblems` of a class. */
  problems: LandProblem[]
  /** All that were found, those not in `problems` included. */
  counts: Record<ProblemClass, number>
  /** Shapes, and the reason why something about them is unknown. */
  unchecked: { ids: string[]; reason: string }[]
}

/** The list and the map show no more. After these are fixed, the next check finds others. */
export const maxProblems = 5_000
/** Land with more is not worth counting. */
const maxCounted = 200_000
/** About a third of a second for one shape. */
const maxSteps = 32_000_000

type Options = {
  /** From 0 to 1. */
  onProgress?: (share: number) => void
  /** Awaited every few milliseconds. Throws to stop. */
  pause?: () => Promise<void> | void
}

/** Checks areas of one layer, such as parcels; skips points and lines. */
export async function findLandProblems(
  shapes: readonly Shape[],
  { onProgress, pause }: Options = {},
): Promise<LandCheck> {
  const steps = checkLand(shapes)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    onProgress?.(value)
    await pause?.()
  }
}

/** Only corners and edges in the window, and no self-intersections. */
export function findProblemsInWindow(shapes: readonly Shape[], window: Box): LandProblem[] {
  const steps = checkLand(shapes, window)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value.problems
  }
}

class Found {
  private readonly problems = new Map<string, LandProblem>()
  private readonly counts = Object.fromEntries(problemClasses.map((name) => [name, 0])) as LandCheck['counts']
  private readonly unchecked: LandCheck['unchecked'] = []

  add(problem: LandProblem) {
    if (this.problems.has(problem.key)) return
    if (++this.counts[problem.class] <= maxProblems) this.problems.set(problem.key, problem)
  }

  skip(ids: string[], reason: string) {
    if (this.unchecked.length < maxProblems) this.unchecked.push({ ids, reason })
  }

  hasRoom() {
    return Math.max(...Object.values(this.counts)) < maxCounted
  }

  finish(): LandCheck {
    const problems = [...this.problems.values()].sort(
      (one, other) =>
        problemClasses.indexOf(one.class) - problemClasses.indexOf(other.class) ||
        other.size - one.size ||
        (one.key < other.key ? -1 : 1),
    )
    return { problems, counts: this.counts, unchecked: this.unchecked }
  }
}

function* checkLand(all: readonly Shape[], window?: Box): Generator<number, LandCheck> {
  const found = new Found()
  const shapes = all.filter(({ geometry }) => polygonsOfGeometry(geometry).length > 0)
  const idsOf = (numbers: Iterable<number>) =>
    [...new Set(numbers)].map((number) => (shapes[number] as Shape).id).sort()
  const network = new BorderNetwork(window)
  const spikes = new Map<string, LandProblem>()
  for (const [number, shape] of shapes.entries()) {
    if (number % batch === 0) yield (0.2 * number) / shapes.length
    network.add(number, shape.geometry)
    const own = findSpikes(shape, window)
    for (const spike of own) {
      const others = spikes.get(spike.key)?.ids ?? []
      spikes.set(spike.key, { ...spike, ids: [...others, shape.id].sort() })
    }
    const problem = window ? undefined : findSelfIntersection(shape, own)
    if (problem?.what === tooManyEdges) found.skip([shape.id], `The shape ${tooManyEdges}.`)
    else if (problem) found.add(problem)
  }
  for (const spike of spikes.values()) found.add(spike)

  const meetings = network.findMeetings({
    hasRoom: () => found.hasRoom(),
    nearCorners(one, other, size) {
      const [a, b] = [network.corners[one] as Corner, network.corners[other] as Corner]
      const [place, near] = [network.exact[one] as Position, network.exact[other] as Position]
      found.add({
        class: 'near-corners',
        key: nearCornersKey(a.key, b.key),
        ids: idsOf([...a.shapes, ...b.shapes]),
        place,
        geometry: { type: 'MultiPoint', coordinates: [place, near] },
        size,
      })
    },
    missingCorner(number, { from, to, left, right }, size) {
      const corner = network.corners[number] as Corner
      const without = idsOf([...left, ...right])
      found.add({
        class: 'missing-corner',
        key: `missing-corner ${corner.key} in ${without.join(', ')}`,
        ids: [...without, ...idsOf(corner.shapes)],
        place: network.exact[number] as Position,
        geometry: {
          type: 'LineString',
          coordinates: [network.exact[from] as Position, network.exact[to] as Position],
        },
        size,
      })
    },
  })
  if (!(yield* scaled(meetings, 0.2, 0.4))) {
    found.skip([], 'There are too many problems to find overlaps and gaps. Fix some, then check again.')
    return found.finish()
  }

  const { pairs, free } = yield* scaled(findCover(network, shapes), 0.4, 0.7)
  for (const [index, pair] of pairs.entries()) {
    if (index % 16 === 0) yield 0.7 + (0.25 * index) / pairs.length
    const [one, other] = pair.map((number) => shapes[number] as Shape) as [Shape, Shape]
    const ids = [one.id, other.id].sort()
    const geometry = overlapOf(one, other, window)
    if (geometry === null) found.skip(ids, 'The overlap cannot be calculated.')
    else if (isRealArea(geometry))
      found.add({
        class: 'overlap',
        key: `overlap ${ids.join(', ')}`,
        ids,
        place: placeIn(geometry),
        geometry,
        size: squareMetersOf(geometry),
      })
  }
  yield 0.95
  for (const gap of findGaps(network, free)) found.add({ ...gap, ids: idsOf(gap.numbers) })
  return found.finish()
}

function* scaled<Result>(
  steps: Generator<number, Result>,
  from: number,
  to: number,
): Generator<number, Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    yield from + (to - from) * value
  }
}

function placeIn(geometry: Geometry): Position {
  const { lng, lat } = locationOfGeometry(geometry)
  return [lng, lat]
}

function findSpikes({ id, geometry }: Shape, window?: Box): LandProblem[] {
  return areaOf(geometry).rings.flatMap((ring) =>
    ring.flatMap((at, index): LandProblem[] => {
      if (window && !meetsBox(window, [at[0], at[1], at[0], at[1]])) return []
      const previous = ring.at(index - 1) as Position
      const next = ring[(index + 1) % ring.length] as Position
      // Most angles are wide: a cheap test first.
      if ((previous[0] - at[0]) * (next[0] - at[0]) < 0 && (previous[1] - at[1]) * (next[1] - at[1]) < 0)
        return []
      const [x, y] = scaleAt(at[1])
      const [ax, ay] = [(previous[0] - at[0]) * x, (previous[1] - at[1]) * y]
      const [bx, by] = [(next[0] - at[0]) * x, (next[1] - at[1]) * y]
      const [across, along] = [Math.abs(ax * by - ay * bx), ax * bx + ay * by]
      const width = across / Math.max(Math.hypot(ax, ay), Math.hypot(bx, by))
      const isNarrow = along > 0 && across < along * Math.tan((maxSpikeAngle * Math.PI) / 180)
      if (!isNarrow || width > cornerTolerance) return []
      return [
        {
          class: 'spike',
          key: `spike ${cornerKey(at)}`,
          ids: [id],
          place: at,
          geometry: { type: 'LineString', coordinates: [previous, at, next] },
          size: Math.min(Math.hypot(ax, ay), Math.hypot(bx, by)),
        },
      ]
    }),
  )
}

/** A spike of no width overlaps itself: that is reported once, as a spike. */
export function findSelfIntersection(
  { id, geometry }: Shape,
  spikes: readonly LandProblem[] = [],
): LandProblem | undefined {
  const tips = new Set(spikes.map(({ place }) => cornerKey(place)))
  const polygons = polygonsOfGeometry(geometry).map((rings) =>
    rings.map((ring) => (tips.size === 0 ? ring : withoutCorners(ring, tips))),
  )
  const problem = findPolygonProblem(polygons, maxSteps)
  if (!problem) return undefined
  const { at, what } = problem
  return { class: 'self-intersection', key: `self-intersection ${id}`, ids: [id], place: at, size: 0, what }
}

function withoutCorners(ring: Position[], keys: ReadonlySet<string>): Position[] {
  const rest = ring.slice(0, -1).filter((corner) => !keys.has(cornerKey(corner)))
  return rest.length < 3 ? ring : [...rest, rest[0] as Position]
}

/** Pairs of shapes that may overlap, and edges with free land on their left. */
function* findCover(
  network: BorderNetwork,
  shapes: readonly Shape[],
): Generator<number, { pairs: [number, number][]; free: Border[] }> {
  const free: Border[] = []
  const pairs = new Map<number, [number, number]>()
  const addPairs = (some: readonly number[], others: readonly number[]) => {
    for (const one of some)
      for (const other of others)
        if (one !== other)
          pairs.set(Math.min(one, other) * shapes.length + Math.max(one, other), [one, other])
  }
  const areas = shapes.map(({ geometry }) => areaOf(geometry))
  if (shapes.length === 0) return { pairs: [], free }
  const boxes = indexOf(areas.map(({ box }) => box))
  const borders = [...network.all()]
  for (const [index, border] of borders.entries()) {
    if (index % batch === 0) yield index / borders.length
    const { left, right } = border
    const { from, to } = network.segmentOf(border)
    const middle: Position = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]
    const around = boxes
      .search(middle[0], middle[1], middle[0], middle[1])
      .filter((shape) => !left.includes(shape) && !right.includes(shape) && areas[shape]?.covers(middle))
    addPairs(left, left)
    addPairs(right, right)
    addPairs([...left, ...right], around)
    if (around.length === 0 && (left.length === 0 || right.length === 0)) free.push(border)
  }
  return { pairs: [...pairs.values()], free }
}

/** Null if it cannot be calculated. */
export function overlapOf(one: Shape, other: Shape, window?: Box): Geometry | null {
  const [a, b] = [extentOfGeometry(one.geometry), extentOfGeometry(other.geometry)]
  const [minX, minY, maxX, maxY] = window ?? [-Infinity, -Infinity, Infinity, Infinity]
  const box: Box = [
    Math.max(a.west, b.west, minX),
    Math.max(a.south, b.south, minY),
    Math.min(a.east, b.east, maxX),
    Math.min(a.north, b.north, maxY),
  ]
  // The library is only correct for rounded positions.
  const [near, nearOther] = [one, other].map(({ geometry }) =>
    within(geometry, box).map((rings) => rings.map((ring) => ring.map(roundPosition))),
  ) as [Polygon[], Polygon[]]
  if (near.length === 0 || nearOther.length === 0) return geometryOfAreas([])
  try {
    const geometry = geometryOfAreas(intersection(near as Geom, nearOther as Geom) as Polygon[])
    const most = Math.min(planarArea(one.geometry), planarArea(other.geometry))
    return planarArea(geometry) <= most * 1.001 ? geometry : null
  } catch {
    return null
  }
}

/** Traces free land that shapes enclose. */
function findGaps(network: BorderNetwork, free: readonly Border[]) {
  const owners = new Map<string, readonly number[]>()
  const edges: DirectedEdge[] = []
  for (const { from, to, left, right } of free) {
    const [start, end] = left.length > 0 ? [to, from] : [from, to]
    const edge = { from: network.exact[start] as Position, to: network.exact[end] as Position }
    edges.push(edge)
    owners.set(edgeKey(edge), left.length > 0 ? left : right)
  }
  const loops = traceLoops(edges)
  const areas: Polygon[] = loops.filter((ring) => signedArea(ring) > 0).map((ring) => [ring])
  if (areas.length === 0) return []
  const index = indexOf(areas.map(([outer = []]) => boxOfRing(outer)))
  for (const hole of loops.filter((ring) => signedArea(ring) < 0)) {
    const [west, south, east, north] = boxOfRing(hole)
    const around = index
      .search(
        west,
        south,
        east,
        north,
        (_, minX, minY, maxX, maxY) => minX <= west && minY <= south && maxX >= east && maxY >= north,
      )
      .map((at) => areas[at] as Polygon)
      .filter(([outer = []]) => isWithin(hole, outer))
      .sort(([one = []], [other = []]) => signedArea(one) - signedArea(other))
    around[0]?.push(hole)
  }
  return areas.flatMap((area) => {
    const geometry: Geometry = { type: 'Polygon', coordinates: area }
    if (!isSliver(geometry) || !isRealArea(geometry)) return []
    const keys = area.flatMap((ring) =>
      ring.slice(1).map((to, at) => edgeKey({ from: ring[at] as Position, to })),
    )
    const problem = {
      class: 'gap' as const,
      key: `gap ${keys.toSorted()[0]}`,
      place: placeIn(geometry),
      geometry,
      size: squareMetersOf(geometry),
    }
    return [{ ...problem, numbers: keys.flatMap((key) => owners.get(key) ?? []) }]
  })
}

function boxOfRing(ring: Position[]): Box {
  const { west, south, east, north } = extentOfGeometry({ type: 'LineString', coordinates: ring })
  return [west, south, east, north]
}
