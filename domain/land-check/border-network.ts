import Flatbush from 'flatbush'
import { type CornerKey, cornerKey, edgeTolerance, roundPosition } from '#domain/geometry/borders/corners.ts'
import { distanceToEdge, placeOnEdge } from '#domain/geometry/borders/shape-graph.ts'
import { signedArea } from '#domain/geometry/borders/trace-areas.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { metersBetween, scaleAt } from '#domain/geometry/scale.ts'
import { type Box, boxOfSegment, meetingOf, type Segment } from '#domain/geometry/segments.ts'
import { cornerTolerance } from './land-problem.ts'

/** `shapes` are indexes. `at` has the digits of the first shape, and stands for all equal corners. */
export type Corner = { key: CornerKey; at: Position; shapes: number[] }

/** An edge, once for all shapes that have it, with those on its sides. */
export type Border = Segment<Position> & { ends: [Corner, Corner]; left: number[]; right: number[] }

/** Too close to be different; `border` if the second is the inside of an edge. */
type Meeting = { corner: Corner; other: Corner | Border; meters: number }

/** Borders of areas. */
export class BorderNetwork {
  private readonly corners = new Map<CornerKey, Corner>()
  readonly borders = new Map<string, Border>()
  private readonly window: Box | undefined

  /** Contains only edges that meet the window. */
  constructor(window?: Box) {
    this.window = window
  }

  add(shape: number, geometry: Geometry) {
    for (const rings of polygonsOfGeometry(geometry))
      for (const [index, ring] of rings.entries()) {
        const isLeft = signedArea(ring) > 0 === (index === 0)
        for (let at = 1; at < ring.length; at++) {
          const [from, to] = [ring[at - 1] as Position, ring[at] as Position]
          if (this.window && !meetsBox(this.window, boxOfSegment({ from, to }))) continue
          const ends: [Corner, Corner] = [this.cornerAt(from), this.cornerAt(to)]
          for (const { shapes } of ends) if (!shapes.includes(shape)) shapes.push(shape)
          this.addBorder(ends, isLeft ? [shape] : [], isLeft ? [] : [shape])
        }
      }
  }

  private cornerAt(at: Position): Corner {
    const key = cornerKey(at)
    const corner = this.corners.get(key) ?? { key, at, shapes: [] }
    this.corners.set(key, corner)
    return corner
  }

  private addBorder([from, to]: readonly [Corner, Corner], left: number[], right: number[]) {
    if (from === to) return
    if (from.key > to.key) {
      this.addBorder([to, from], right, left)
      return
    }
    const key = keyOf([from, to])
    const border = this.borders.get(key)
    border?.left.push(...left)
    border?.right.push(...right)
    if (!border) this.borders.set(key, { from: from.at, to: to.at, ends: [from, to], left, right })
  }

  /** Afterwards borders end where they meet. Yields how many corners and borders are done. */
  *findMeetings(report: (meeting: Meeting) => void): Generator<number> {
    const corners = [...this.corners.values()]
    const borders = [...this.borders.values()]
    if (borders.length === 0) return
    const cornerIndex = indexOf(corners.map(({ at }) => boxOfSegment({ from: at, to: at })))
    const borderIndex = indexOf(borders.map(boxOfSegment))
    const nodes = new Map<Border, Set<Corner>>()
    const addNode = (border: Border, corner: Corner) => {
      if (!border.ends.includes(corner)) nodes.set(border, (nodes.get(border) ?? new Set()).add(corner))
    }
    for (const [first, corner] of corners.entries()) {
      if (first % batch === 0) yield first
      const { at } = corner
      const [x, y] = scaleAt(at[1])
      const [across, up] = [cornerTolerance / x, cornerTolerance / y]
      const near: Box = [at[0] - across, at[1] - up, at[0] + across, at[1] + up]
      let room = maxReported
      for (const second of cornerIndex.search(...near, (index) => index > first && room-- > 0)) {
        const other = corners[second] as Corner
        const meters = metersBetween(at, other.at, [x, y])
        if (meters <= cornerTolerance) report({ corner, other, meters })
      }
      for (const index of borderIndex.search(...near)) {
        const other = borders[index] as Border
        if (other.ends.includes(corner)) continue
        if (distanceToEdge(at, other) <= edgeTolerance) addNode(other, corner)
        const meters = metersBetween(at, placeOnEdge(at, other, x / y), [x, y])
        const isAtEnd = other.ends.some((end) => metersBetween(at, end.at, [x, y]) <= cornerTolerance)
        const isOwn = [...other.left, ...other.right].some((shape) => corner.shapes.includes(shape))
        if (meters <= cornerTolerance && !isAtEnd && !isOwn) report({ corner, other, meters })
      }
    }
    for (const [first, one] of borders.entries()) {
      if (first % batch === 0) yield corners.length + first
      for (const second of borderIndex.search(...boxOfSegment(one), (index) => index > first)) {
        const other = borders[second] as Border
        if (one.ends.some((end) => other.ends.includes(end))) continue
        const meeting = meetingOf<Position>(one, other)
        if (meeting?.how !== 'cross') continue
        const corner = this.cornerAt(roundPosition(meeting.at))
        for (const border of [one, other]) addNode(border, corner)
      }
    }
    for (const { ends } of nodes.keys()) this.borders.delete(keyOf(ends))
    for (const [{ from, ends, left, right }, inner] of nodes) {
      const distance = ({ at }: Corner) => Math.hypot(at[0] - from[0], at[1] - from[1])
      const stops = [ends[0], ...[...inner].sort((one, other) => distance(one) - distance(other)), ends[1]]
      for (const [index, stop] of stops.entries())
        if (index > 0) this.addBorder([stops[index - 1] as Corner, stop], [...left], [...right])
    }
  }
}

const keyOf = ([from, to]: readonly [Corner, Corner]) => `${from.key} to ${to.key}`

/** Of a corner, which has at most a few others nearby in land that can be fixed. */
const maxReported = 100

/** Items between two reports of progress: a few milliseconds. */
export const batch = 256

export const meetsBox = (one: Box, other: Box) =>
  one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3]

export const widened = ([west, south, east, north]: Box, by: number): Box => [
  west - by,
  south - by,
  east + by,
  north + by,
]

export function indexOf(boxes: readonly Box[]): Flatbush {
  const index = new Flatbush(boxes.length)
  for (const box of boxes) index.add(...box)
  index.finish()
  return index
}
