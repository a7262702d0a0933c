import Flatbush from 'flatbush'
import { type CornerKey, cornerKey, edgeTolerance, roundPosition } from '#domain/geometry/borders/corners.ts'
import { distanceToEdge, placeOnEdge } from '#domain/geometry/borders/shape-graph.ts'
import { signedArea } from '#domain/geometry/borders/trace-areas.ts'
import { passingOf } from '#domain/geometry/covers.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry, polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { type Box, boxOfSegment, meetingOf, type Segment } from '#domain/geometry/segments.ts'
import { cornerTolerance, metersBetween, scaleAt } from './land-problem.ts'

/** Indexes of shapes. */
type Owners = readonly number[]

export type Corner = { key: CornerKey; at: Position; shapes: Owners }

/** An edge, once for all shapes that have it. `from` and `to` are indexes of corners, `from` is the smaller. */
export type Border = { from: number; to: number; left: Owners; right: Owners }

export const meetsBox = (one: Box, other: Box) =>
  one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3]

/** Borders of areas. Compares rounded positions, and returns those of the shapes, which may have more digits. */
export class BorderNetwork {
  readonly corners: Corner[] = []
  /** Of the corners: the digits that the first shape has. */
  readonly exact: Position[] = []
  /** Without window, all; otherwise only those whose boxes meet it. */
  private readonly borders = new Map<number, Border>()
  private readonly numbers = new Map<CornerKey, number>()
  private readonly window: Box | undefined

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
          const [start, end] = [this.cornerAt(from, shape), this.cornerAt(to, shape)]
          if (start !== end) this.addBorder(start, end, isLeft ? [shape] : [], isLeft ? [] : [shape])
        }
      }
  }

  private cornerAt(position: Position, shape?: number): number {
    const key = cornerKey(position)
    const number = this.numbers.get(key) ?? this.corners.length
    const corner = this.corners[number]
    if (!corner) {
      this.numbers.set(key, number)
      const [lng, lat] = roundPosition(position)
      this.corners.push({ key, at: [lng, lat], shapes: shape === undefined ? [] : [shape] })
      this.exact.push(position)
    } else if (shape !== undefined && !corner.shapes.includes(shape)) {
      this.corners[number] = { ...corner, shapes: [...corner.shapes, shape] }
    }
    return number
  }

  private addBorder(from: number, to: number, left: Owners, right: Owners): void {
    if (from > to) {
      this.addBorder(to, from, right, left)
      return
    }
    const key = from * maxCorners + to
    const border = this.borders.get(key)
    if (!border) this.borders.set(key, { from, to, left, right })
    else
      this.borders.set(key, { from, to, left: [...border.left, ...left], right: [...border.right, ...right] })
  }

  all(): Iterable<Border> {
    return this.borders.values()
  }

  segmentOf({ from, to }: Pick<Border, 'from' | 'to'>): Segment<Position> {
    return { from: this.atOf(from), to: this.atOf(to) }
  }

  atOf(corner: number): Position {
    return (this.corners[corner] as Corner).at
  }

  /**
   * Finds pairs of corners, and corners beside borders, that are closer than the tolerance. Afterwards borders end
   * where they meet. Yields the share of the work that is done.
   */
  *findMeetings(found: {
    nearCorners(one: number, other: number, meters: number): void
    /** False if there are too many. */
    missingCorner(corner: number, border: Border, meters: number): void
    hasRoom(): boolean
  }): Generator<number, boolean> {
    const count = this.corners.length
    const borders = [...this.borders.values()]
    if (borders.length === 0) return true
    const cornerIndex = indexOf(this.corners.map(({ at: [lng, lat] }) => [lng, lat, lng, lat]))
    const borderIndex = indexOf(borders.map((border) => boxOfSegment(this.segmentOf(border))))
    const nodes = new Map<Border, Set<number>>()
    let nodeCount = 0
    const addNode = (border: Border, corner: number) => {
      const corners = nodes.get(border)
      if (corners) corners.add(corner)
      else nodes.set(border, new Set([corner]))
      nodeCount++
    }
    for (let corner = 0; corner < count; corner++) {
      if (corner % batch === 0) yield corner / count / 2
      const { at, shapes } = this.corners[corner] as Corner
      if (this.window && !meetsBox(this.window, boxOfSegment({ from: at, to: at }))) continue
      const scale = scaleAt(at[1])
      const near = around(at, scale)
      for (const other of cornerIndex.search(...near, (other) => other > corner)) {
        const meters = metersBetween(at, this.atOf(other), scale)
        if (meters <= cornerTolerance) found.nearCorners(corner, other, meters)
      }
      for (const index of borderIndex.search(...near)) {
        const border = borders[index] as Border
        if (border.from === corner || border.to === corner) continue
        const segment = this.segmentOf(border)
        if (distanceToEdge(at, segment) <= edgeTolerance) addNode(border, corner)
        const foot = placeOnEdge(at, segment, scale[0] / scale[1])
        const meters = metersBetween(at, foot, scale)
        const isInside = [segment.from, segment.to].every(
          (end) => metersBetween(at, end, scale) > cornerTolerance,
        )
        const owners = [...border.left, ...border.right]
        if (meters <= cornerTolerance && isInside && !owners.some((shape) => shapes.includes(shape)))
          found.missingCorner(corner, border, meters)
      }
      if (!found.hasRoom()) return false
    }
    for (const [first, one] of borders.entries()) {
      if (first % batch === 0) yield 0.5 + first / borders.length / 2
      const segment = this.segmentOf(one)
      for (const second of borderIndex.search(...boxOfSegment(segment), (index) => index > first)) {
        const other = borders[second] as Border
        if (one.from === other.from || one.from === other.to || one.to === other.from || one.to === other.to)
          continue
        const meeting = meetingOf(segment, this.segmentOf(other))
        if (meeting?.how !== 'cross') continue
        const corner = this.cornerAt(meeting.at as Position)
        for (const border of [one, other])
          if (border.from !== corner && border.to !== corner) addNode(border, corner)
      }
      if (nodeCount > count + maxNodes) return false
    }
    this.cutBorders(nodes)
    return true
  }

  private cutBorders(nodes: ReadonlyMap<Border, ReadonlySet<number>>) {
    for (const { from, to } of nodes.keys()) this.borders.delete(from * maxCorners + to)
    for (const [{ from, to, left, right }, corners] of nodes) {
      const [x, y] = this.atOf(from)
      const distance = (corner: number) => Math.hypot(this.atOf(corner)[0] - x, this.atOf(corner)[1] - y)
      const stops = [from, ...[...corners].sort((one, other) => distance(one) - distance(other)), to]
      for (const [index, stop] of stops.entries())
        if (index > 0) this.addBorder(stops[index - 1] as number, stop, left, right)
    }
  }
}

/** A factor of keys of borders: their squares are exact numbers. */
const maxCorners = 2 ** 26
/** Crossings of data so broken that overlaps and gaps mean nothing. */
const maxNodes = 500_000
/** Items between two reports of progress: a few milliseconds. */
export const batch = 256

function around([lng, lat]: Position, [x, y]: readonly [number, number]): Box {
  const [across, up] = [cornerTolerance / x, cornerTolerance / y]
  return [lng - across, lat - up, lng + across, lat + up]
}

/** Areas with fewer edges are compared faster without an index. */
const indexedFrom = 64

/** An area with rounded corners. */
class RoundedArea {
  /** Without repeats; the last corner is not the first. */
  readonly rings: readonly (readonly Position[])[]
  readonly box: Box
  private readonly edges: readonly Segment<Position>[]
  private index: Flatbush | undefined

  constructor(geometry: Geometry) {
    this.rings = polygonsOfGeometry(geometry).flatMap((rings) => rings.map(roundedRing))
    this.edges = this.rings.flatMap((ring) =>
      ring.map((from, at) => ({ from, to: ring[(at + 1) % ring.length] as Position })),
    )
    const { west, south, east, north } = extentOfGeometry(geometry)
    this.box = [west, south, east, north]
  }

  /** Excludes the border. */
  covers(place: Position): boolean {
    let isInside = false
    for (const { from, to } of this.edgesEast(place)) {
      const passing = passingOf(from, to, place)
      if (passing === 'on') return false
      if (passing === 'east') isInside = !isInside
    }
    return isInside
  }

  private edgesEast([x, y]: Position): readonly Segment<Position>[] {
    if (this.edges.length < indexedFrom)
      return this.edges.filter(
        ({ from, to }) =>
          (from[1] >= y || to[1] >= y) && (from[1] <= y || to[1] <= y) && (from[0] >= x || to[0] >= x),
      )
    this.index ??= indexOf(this.edges.map(boxOfSegment))
    return this.index.search(x, y, Infinity, y).map((at) => this.edges[at] as Segment<Position>)
  }
}

function roundedRing(ring: readonly Position[]): Position[] {
  const rounded = ring.map(roundPosition)
  // The last position repeats the first.
  return rounded.filter((corner, index) => {
    const next = rounded[index + 1]
    return next !== undefined && (corner[0] !== next[0] || corner[1] !== next[1])
  })
}

/** Fixes look at the same shapes again and again, and some have thousands of corners. */
const areas = new WeakMap<Geometry, RoundedArea>()

export function areaOf(geometry: Geometry): RoundedArea {
  const area = areas.get(geometry) ?? new RoundedArea(geometry)
  areas.set(geometry, area)
  return area
}

export function indexOf(boxes: readonly Box[]): Flatbush {
  const index = new Flatbush(boxes.length)
  for (const box of boxes) index.add(...box)
  index.finish()
  return index
}
