import { type Geom, intersection } from 'polyclip-ts'
import { cornerKey, pathsOf, roundPosition } from '#domain/geometry/borders/corners.ts'
import type { Shape, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import {
  type DirectedEdge,
  directedEdges,
  edgeKey,
  geometryOfAreas,
  type Polygon,
  planarArea,
  signedArea,
  traceLoops,
} from '#domain/geometry/borders/trace-areas.ts'
import { EnclosedArea } from '#domain/geometry/enclosed-area.ts'
import { findPolygonProblem, tooManyEdges } from '#domain/geometry/find-polygon-problem.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import {
  extentOfGeometry,
  locationOfGeometry,
  polygonsOfGeometry,
} from '#domain/geometry/measure-geometry.ts'
import { within } from '#domain/geometry/overlap.ts'
import { scaleAt } from '#domain/geometry/scale.ts'
import { type Box, boxOfSegment, type Segment } from '#domain/geometry/segments.ts'
import { type Border, BorderNetwork, batch, indexOf } from './border-network.ts'
import { type FreeEdge, findOpenGaps } from './find-open-gaps.ts'
import {
  cornerTolerance,
  isRealArea,
  isSliver,
  type LandProblem,
  maxSpikeDegrees,
  type ProblemClass,
  problemClasses,
  squareMetersOf,
} from './land-problem.ts'

export type LandCheck = {
  /** By class, the largest first. At most `maxProblems` of a class. */
  problems: LandProblem[]
  /** Including those that are not in `problems`, up to `maxCounted`. */
  counts: Record<ProblemClass, number>
  unchecked: { ids: string[]; reason: string }[]
}

/** Fixing these finds others. */
export const maxProblems = 5_000
/** Land with more nearly equal or missing corners is not checked further. */
export const maxCounted = 200_000
/** About a third of a second for one shape. */
const maxSteps = 32_000_000

type Options = {
  /** From 0 to 1. */
  onProgress?: (share: number) => void
  /** Awaited every few milliseconds. Throws to stop. */
  pause?: () => Promise<void> | void
}

/** Checks the areas of one layer, such as parcels. */
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

/** Borders in the window, and spikes and self-intersections of all these shapes. */
export function findProblemsInWindow(shapes: readonly Shape[], window: Box): LandProblem[] {
  const steps = checkLand(shapes, window)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value.problems
  }
}

function* checkLand(all: readonly Shape[], window?: Box): Generator<number, LandCheck> {
  const problems = new Map<string, LandProblem>()
  const counts = { ...problemClasses } as unknown as LandCheck['counts']
  for (const name of Object.keys(counts) as ProblemClass[]) counts[name] = 0
  const unchecked: LandCheck['unchecked'] = []
  const add = (problem: LandProblem) => {
    const same = problems.get(problem.key)
    if (same) same.ids = [...new Set([...same.ids, ...problem.ids])].sort()
    else if (++counts[problem.class] <= maxProblems) problems.set(problem.key, problem)
  }
  const shapes = all.filter(({ geometry }) => polygonsOfGeometry(geometry).length > 0)
  const idsOf = (numbers: Iterable<number>) =>
    [...new Set(numbers)].map((number) => (shapes[number] as Shape).id).sort()

  const network = new BorderNetwork(window)
  for (const [number, shape] of shapes.entries()) {
    if (number % batch === 0) yield (0.25 * number) / shapes.length
    network.add(number, shape.geometry)
    for (const problem of ownProblems(shape))
      if (problem.what === tooManyEdges)
        unchecked.push({ ids: [shape.id], reason: `The shape ${tooManyEdges}.` })
      else add({ ...problem })
  }

  const meetings = network.findMeetings(({ corner, other, meters: size }) => {
    const { at: place, key, shapes: owners } = corner
    if ('left' in other) {
      const without = idsOf([...other.left, ...other.right])
      const geometry: Geometry = { type: 'LineString', coordinates: [other.from, other.to] }
      const ids = [...without, ...idsOf(owners)]
      add({ class: 'missing-corner', key: `missing-corner ${key} in ${without}`, ids, place, geometry, size })
    } else {
      const geometry: Geometry = { type: 'MultiPoint', coordinates: [place, other.at] }
      const ids = idsOf([...owners, ...other.shapes])
      const pair = [key, other.key].sort()
      add({ class: 'near-corners', key: `near-corners ${pair}`, ids, place, geometry, size })
    }
  })
  const steps = network.borders.size * 2
  for (const done of meetings) {
    yield 0.25 + 0.2 * Math.min(1, done / steps)
    if (counts['near-corners'] + counts['missing-corner'] < maxCounted) continue
    unchecked.push({ ids: [], reason: 'There are too many problems to find overlaps and gaps.' })
    return { problems: sorted(problems.values()), counts, unchecked }
  }

  const { pairs, free, isCovered } = yield* findCover(network, shapes)
  for (const [index, [one, other]] of pairs.entries()) {
    if (index % 16 === 0) yield 0.75 + (0.2 * index) / pairs.length
    const ids = idsOf([one, other])
    const geometry = overlapOf(shapes[one] as Shape, shapes[other] as Shape, window)
    if (!geometry) unchecked.push({ ids, reason: 'The overlap cannot be calculated.' })
    else if (isRealArea(geometry))
      add({ class: 'overlap', key: `overlap ${ids}`, ids, ...measured(geometry) })
  }
  yield 0.95
  const edges = free.map(freeEdge)
  const uncovered = findUncovered(edges)
  for (const { numbers, ...land } of uncovered) {
    // One record draws its hole on purpose. Beyond a window, there may be other shapes.
    const isWide = land.class === 'no-parcel'
    const isCertain = new Set(numbers).size > 1 && (!window || isInside(boxOf(land.geometry), window))
    if (!isWide || isCertain) add({ ...land, ids: idsOf(numbers) })
  }
  const closed = uncovered.filter((land) => land.class === 'gap')
  const keys = new Set(closed.flatMap(({ geometry }) => directedEdges(geometry).map(edgeKey)))
  const open = edges.filter((edge) => !keys.has(edgeKey(edge)))
  for (const { numbers, geometry } of findOpenGaps(open, isCovered)) {
    const ids = idsOf(numbers)
    add({ class: 'gap', key: `gap ${ids}`, ids, ...measured(geometry) })
  }
  return { problems: sorted(problems.values()), counts, unchecked }
}

const order = Object.keys(problemClasses)
const rankOf = (problem: LandProblem) => order.indexOf(problem.class)

const sorted = (problems: Iterable<LandProblem>) =>
  [...problems].sort((a, b) => rankOf(a) - rankOf(b) || b.size - a.size || (a.key < b.key ? -1 : 1))

function measured(geometry: Geometry) {
  const { lng, lat } = locationOfGeometry(geometry)
  return { geometry, place: [lng, lat] as Position, size: squareMetersOf(geometry) }
}

/** Fixes check the same shapes again and again, and some have thousands of corners. */
const ownProblemsOf = new WeakMap<Shape, LandProblem[]>()

function ownProblems(shape: Shape): LandProblem[] {
  const cached = ownProblemsOf.get(shape)
  if (cached) return cached
  const { id, geometry } = shape
  const problems = findSpikes(shape)
  // A spike of no width overlaps itself, which is reported once.
  const tips = new Set(problems.map(({ place }) => cornerKey(place)))
  const polygons = polygonsOfGeometry(geometry).map((rings) =>
    rings.map((ring) => (tips.size === 0 ? ring : withoutCorners(ring, tips))),
  )
  const { at: place, what } = findPolygonProblem(polygons, maxSteps) ?? {}
  const key = `self-intersection ${id}`
  if (place) problems.push({ class: 'self-intersection', key, ids: [id], place, size: 0, what })
  ownProblemsOf.set(shape, problems)
  return problems
}

function withoutCorners(ring: Position[], keys: ReadonlySet<string>): Position[] {
  const rest = ring.slice(0, -1).filter((corner) => !keys.has(cornerKey(corner)))
  return rest.length < 3 ? ring : [...rest, rest[0] as Position]
}

function findSpikes({ id, geometry }: Shape): LandProblem[] {
  const spikes: LandProblem[] = []
  for (const { corners } of pathsOf(geometry))
    for (const [index, place] of corners.entries()) {
      const before = corners.at(index - 1) as Position
      const after = corners[(index + 1) % corners.length] as Position
      const scale = scaleAt(place[1])
      const [ax, ay] = [(before[0] - place[0]) * scale[0], (before[1] - place[1]) * scale[1]]
      const [bx, by] = [(after[0] - place[0]) * scale[0], (after[1] - place[1]) * scale[1]]
      const [across, along] = [Math.abs(ax * by - ay * bx), ax * bx + ay * by]
      const lengths = [Math.hypot(ax, ay), Math.hypot(bx, by)]
      const isSharp = along > 0 && across < along * Math.tan((maxSpikeDegrees * Math.PI) / 180)
      if (!isSharp || across > cornerTolerance * Math.max(...lengths)) continue
      const edges: Geometry = { type: 'LineString', coordinates: [before, place, after] }
      const key = `spike ${cornerKey(place)}`
      spikes.push({ class: 'spike', key, ids: [id], place, geometry: edges, size: Math.min(...lengths) })
    }
  return spikes
}

const ringsOfAreas = new WeakMap<Geometry, EnclosedArea[]>()

/** For places that are not on its border. */
export function coversInside(geometry: Geometry, place: Position): boolean {
  const rings =
    ringsOfAreas.get(geometry) ??
    polygonsOfGeometry(geometry)
      .flat()
      .map((ring) => new EnclosedArea(ring))
  ringsOfAreas.set(geometry, rings)
  return rings.filter((ring) => ring.covers(place)).length % 2 === 1
}

export const middleOf = ({ from, to }: Segment<Position>): Position => [
  (from[0] + to[0]) / 2,
  (from[1] + to[1]) / 2,
]

/** Pairs of shapes that may overlap, and borders of free land. */
function* findCover(
  { borders }: BorderNetwork,
  shapes: readonly Shape[],
): Generator<number, { pairs: [number, number][]; free: Border[]; isCovered: (place: Position) => boolean }> {
  const free: Border[] = []
  const pairs = new Map<number, [number, number]>()
  const addPairs = (some: readonly number[], others: readonly number[]) => {
    for (const one of some)
      for (const other of others)
        if (one !== other)
          pairs.set(Math.min(one, other) * shapes.length + Math.max(one, other), [one, other])
  }
  if (shapes.length === 0) return { pairs: [], free, isCovered: () => false }
  const boxes = indexOf(shapes.map(({ geometry }) => boxOf(geometry)))
  const coveringShapes = (place: Position, without: readonly number[]) =>
    boxes
      .search(...boxOfSegment({ from: place, to: place }), (shape) => !without.includes(shape))
      .filter((shape) => coversInside((shapes[shape] as Shape).geometry, place))
  let count = 0
  for (const border of borders.values()) {
    if (count++ % batch === 0) yield 0.45 + (0.3 * count) / borders.size
    const { left, right } = border
    const owners = [...left, ...right]
    const middle = middleOf(border)
    const around = coveringShapes(middle, owners)
    addPairs(left, left)
    addPairs(right, right)
    addPairs(owners, around)
    if (around.length === 0 && (left.length === 0 || right.length === 0)) free.push(border)
  }
  return { pairs: [...pairs.values()], free, isCovered: (place) => coveringShapes(place, []).length > 0 }
}

export function boxOf(geometry: Geometry): Box {
  const { west, south, east, north } = extentOfGeometry(geometry)
  return [west, south, east, north]
}

/** Null if it cannot be calculated. */
export function overlapOf(one: Shape, other: Shape, window?: Box): Geometry | null {
  const common = commonBox(boxOf(one.geometry), boxOf(other.geometry))
  const box = window ? commonBox(common, window) : common
  // The library is only correct for rounded positions.
  const [near, nearOther] = [one, other].map(({ geometry }) =>
    within(geometry, box).map((rings) => rings.map((ring) => ring.map(roundPosition))),
  ) as [Polygon[], Polygon[]]
  try {
    const isApart = near.length === 0 || nearOther.length === 0
    const overlap = geometryOfAreas(
      isApart ? [] : (intersection(near as Geom, nearOther as Geom) as Polygon[]),
    )
    const limit = Math.min(planarArea(one.geometry), planarArea(other.geometry))
    return planarArea(overlap) <= limit * 1.001 ? overlap : null
  } catch {
    return null
  }
}

/** Of a problem in a window: not only the part of an overlap in the window. */
export function wholeProblem(graph: ShapeGraph, problem: LandProblem): LandProblem {
  const [one, other] = problem.ids.map((id) => graph.shape(id))
  const geometry = problem.class === 'overlap' && one && other ? overlapOf(one, other) : null
  return geometry ? { ...problem, geometry, size: squareMetersOf(geometry) } : problem
}

const isInside = (box: Box, other: Box) => commonBox(box, other).every((side, index) => side === box[index])

const commonBox = (one: Box, other: Box): Box => [
  Math.max(one[0], other[0]),
  Math.max(one[1], other[1]),
  Math.min(one[2], other[2]),
  Math.min(one[3], other[3]),
]

const freeEdge = ({ from, to, left, right }: Border): FreeEdge => ({
  ...(left.length > 0 ? { from: to, to: from } : { from, to }),
  numbers: [...left, ...right],
})

/** Traces land between shapes that none of them covers. */
function findUncovered(edges: readonly FreeEdge[]) {
  const owners = new Map(edges.map((edge) => [edgeKey(edge), edge.numbers]))
  return traceIndexed(edges)
    .map((area): Geometry => ({ type: 'Polygon', coordinates: area }))
    .filter(isRealArea)
    .map((geometry) => {
      const keys = directedEdges(geometry).map(edgeKey).sort()
      const numbers = keys.flatMap((key) => owners.get(key) ?? [])
      const name = isSliver(geometry) ? 'gap' : 'no-parcel'
      return { class: name, key: `${name} ${keys[0]}`, numbers, ...measured(geometry) } as const
    })
}

/** As `traceAreas` does, but fast: streets have thousands of corners, and hundreds of holes. */
export function traceIndexed(edges: readonly DirectedEdge[]): Polygon[] {
  const loops = traceLoops(edges)
  const areas = loops.filter((ring) => signedArea(ring) > 0).map((ring) => [ring])
  if (areas.length === 0) return []
  const outers = areas.map(([outer = []]) => new EnclosedArea(outer))
  const index = indexOf(outers.map(({ extent }) => [extent.west, extent.south, extent.east, extent.north]))
  for (const hole of loops.filter((ring) => signedArea(ring) < 0)) {
    const [from, to] = hole as [Position, Position]
    const middle = middleOf({ from, to })
    const [smallest] = index
      .search(...boxOfSegment({ from: middle, to: middle }))
      .filter((at) => outers[at]?.covers(middle))
      .map((at) => areas[at] as Polygon)
      .sort(([one = []], [other = []]) => signedArea(one) - signedArea(other))
    smallest?.push(hole)
  }
  return areas
}
