import { cornerKey, roundPosition } from '#domain/geometry/borders/corners.ts'
import { type DirectedEdge, geometryOfAreas } from '#domain/geometry/borders/trace-areas.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { metersBetween, scaleAt } from '#domain/geometry/scale.ts'
import { boxOfSegment } from '#domain/geometry/segments.ts'
import { indexOf, widened } from './border-network.ts'
import { cornerTolerance, isLong, isSliver, maxGapWidth } from './land-problem.ts'

/** An edge with land of no shape on its left. `numbers` are the shapes on its right. */
export type FreeEdge = DirectedEdge & { numbers: number[] }

/** The cosine of three degrees. Other borders meet at a corner, or go different ways. */
const minParallel = 0.9986

/** Of an edge, which has at most a few others nearby in land that can be fixed. */
const maxOpposite = 100

/** Degrees, more than `maxGapWidth` up to 80 degrees of latitude. */
const reach = 6e-5

/** Where two edges face each other, from the start of `one` and the end of `other`. */
type Strip = {
  one: FreeEdge
  other: FreeEdge
  start: [Position, Position]
  end: [Position, Position]
  /** Meters at the wider end. */
  width: number
}

/**
 * Narrow land between two shapes that is open at an end, such as at a street without a parcel: `findUncovered` finds
 * only enclosed land. One item for a pair of shapes.
 */
export function findOpenGaps(
  edges: readonly FreeEdge[],
  isCovered: (place: Position) => boolean,
): { numbers: [number, number]; geometry: Geometry }[] {
  if (edges.length === 0) return []
  const index = indexOf(edges.map(boxOfSegment))
  const all: Strip[] = []
  for (const edge of edges) {
    let room = maxOpposite
    for (const second of index.search(...widened(boxOfSegment(edge), reach), () => room-- > 0)) {
      const opposite = edges[second] as FreeEdge
      // Each pair in one order. Borders of one shape can be close on purpose.
      if ((edge.numbers[0] as number) >= (opposite.numbers[0] as number)) continue
      const strip = stripBetween(edge, opposite)
      if (!strip || isCovered(middleOf([middleOf(strip.start), middleOf(strip.end)]))) continue
      all.push(strip)
    }
  }
  const pairOf = ({ one, other }: Strip) => `${one.numbers[0]} ${other.numbers[0]}`
  return [...Map.groupBy(all, pairOf)].flatMap(([pair, strips]) => {
    // Narrower ones have nearly equal corners.
    const gaps = chained(strips)
      .filter((chain) => chain.some(({ width }) => width > cornerTolerance))
      .map((chain): Geometry => ({ type: 'Polygon', coordinates: [ringAround(chain)] }))
      .filter((gap) => isSliver(gap) && isLong(gap))
    if (gaps.length === 0) return []
    const numbers = pair.split(' ').map(Number) as [number, number]
    return [{ numbers, geometry: geometryOfAreas(gaps.flatMap(polygonsOfGeometry)) }]
  })
}

const middleOf = ([one, other]: [Position, Position]): Position => [
  (one[0] + other[0]) / 2,
  (one[1] + other[1]) / 2,
]

const between = (from: Position, to: Position, share: number): Position =>
  roundPosition([from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share])

function stripBetween(one: FreeEdge, other: FreeEdge): Strip | null {
  const scale = scaleAt(one.from[1])
  const lengthOf = ({ from, to }: FreeEdge) => metersBetween(from, to, scale)
  const length = lengthOf(one)
  const [x, y] = [
    ((one.to[0] - one.from[0]) * scale[0]) / length,
    ((one.to[1] - one.from[1]) * scale[1]) / length,
  ]
  const measure = (place: Position) => {
    const [east, north] = [(place[0] - one.from[0]) * scale[0], (place[1] - one.from[1]) * scale[1]]
    return { along: east * x + north * y, aside: north * x - east * y }
  }
  const [start, end] = [measure(other.to), measure(other.from)]
  const run = end.along - start.along
  if (run < minParallel * lengthOf(other)) return null
  const [first, last] = [Math.max(0, start.along), Math.min(length, end.along)]
  if (last - first < cornerTolerance) return null
  const widthAt = (along: number) => start.aside + ((end.aside - start.aside) * (along - start.along)) / run
  const widths = [widthAt(first), widthAt(last)]
  const width = Math.max(...widths)
  if (Math.min(...widths) < -cornerTolerance || width >= maxGapWidth) return null
  const onOne = (along: number) =>
    along < cornerTolerance
      ? one.from
      : along > length - cornerTolerance
        ? one.to
        : between(one.from, one.to, along / length)
  const onOther = (along: number) =>
    along < start.along + cornerTolerance
      ? other.to
      : along > end.along - cornerTolerance
        ? other.from
        : between(other.to, other.from, (along - start.along) / run)
  return { one, other, start: [onOne(first), onOther(first)], end: [onOne(last), onOther(last)], width }
}

/** Strips that continue each other around corners of the two shapes. */
function chained(strips: readonly Strip[]): Strip[][] {
  const byStart = Map.groupBy(strips, ({ one }) => cornerKey(one.from))
  const nextOf = (strip: Strip) => {
    const { one, other } = strip
    const goesOn = (next: Strip) =>
      next !== strip && (next.other === other || cornerKey(next.other.to) === cornerKey(other.from))
    const same = byStart.get(cornerKey(one.from)) ?? []
    return (
      same.find((next) => next.one === one && next.other !== other && goesOn(next)) ??
      byStart.get(cornerKey(one.to))?.find(goesOn)
    )
  }
  const next = new Map(strips.map((strip) => [strip, nextOf(strip)]))
  const followers = new Set(next.values())
  return strips
    .filter((strip) => !followers.has(strip))
    .map((first) => {
      const chain = new Set<Strip>()
      for (let strip: Strip | undefined = first; strip && !chain.has(strip); strip = next.get(strip))
        chain.add(strip)
      return [...chain]
    })
}

/** Only with corners of the two shapes, and those at its ends. */
function ringAround(chain: readonly Strip[]): Position[] {
  const [first, last] = [chain[0], chain.at(-1)] as [Strip, Strip]
  const turns = chain.slice(1).map((strip, index) => [chain[index] as Strip, strip] as const)
  const ahead = turns.flatMap(([a, b]) => (a.one === b.one ? [] : [a.one.to]))
  const back = turns.flatMap(([a, b]) => (a.other === b.other ? [] : [a.other.from]))
  const ring = [first.start[0], ...ahead, last.end[0], last.end[1], ...back.reverse(), first.start[1]]
  const corners = ring.filter((corner, at) => cornerKey(corner) !== cornerKey(ring.at(at - 1) as Position))
  return [...corners, corners[0] as Position]
}
