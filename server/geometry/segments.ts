import Flatbush from 'flatbush'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { orientation } from './orientation.ts'

/** An edge of a ring; edges of no length are left out. `next` is the number of the edge that follows it. */
export type Segment = {
  from: Position
  to: Position
  polygon: number
  ring: number
  next: number
}

/** Edges of one ring, numbered from `start` on. */
export function segmentsOfRing(
  ring: readonly Position[],
  place: { polygon: number; ring: number },
  start: number,
): Segment[] {
  const segments: Segment[] = []
  for (let index = 1; index < ring.length; index++) {
    const from = ring[index - 1] as Position
    const to = ring[index] as Position
    if (from[0] === to[0] && from[1] === to[1]) continue
    const number = start + segments.length
    segments.push({ from, to, ...place, next: number + 1 })
  }
  const last = segments.at(-1)
  if (last) last.next = start
  return segments
}

export type Box = readonly [minX: number, minY: number, maxX: number, maxY: number]

export function boxOfSegment({ from, to }: Segment): Box {
  return [
    Math.min(from[0], to[0]),
    Math.min(from[1], to[1]),
    Math.max(from[0], to[0]),
    Math.max(from[1], to[1]),
  ]
}

/** Below this many boxes, comparing each with each is faster than building an index. */
const indexedFrom = 40

/** Pairs of boxes (by number, the smaller first) that touch or overlap. */
export function* touchingPairs(boxes: readonly Box[]): Generator<[number, number]> {
  if (boxes.length < indexedFrom) {
    for (const [first, a] of boxes.entries()) {
      for (let second = first + 1; second < boxes.length; second++) {
        const b = boxes[second] as Box
        if (a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]) yield [first, second]
      }
    }
    return
  }
  const index = new Flatbush(boxes.length)
  for (const box of boxes) index.add(...box)
  index.finish()
  for (const [first, box] of boxes.entries()) {
    for (const second of index.search(...box, (other) => other > first)) yield [first, second]
  }
}

export type Meeting = { how: 'cross' | 'overlap' | 'touch'; at: Position }

/** How two edges meet: in one inner point of both, in a stretch, or in a point that is an end of one. */
export function meetingOf(a: Segment, b: Segment): Meeting | undefined {
  const [b1, b2] = [orientation(a.from, a.to, b.from), orientation(a.from, a.to, b.to)]
  if (b1 * b2 > 0) return undefined
  const [a1, a2] = [orientation(b.from, b.to, a.from), orientation(b.from, b.to, a.to)]
  if (a1 * a2 > 0) return undefined
  if (b1 * b2 < 0 && a1 * a2 < 0) return { how: 'cross', at: crossingPoint(a, b) }
  let at: Position | undefined
  let how: Meeting['how'] = 'touch'
  const share = (point: Position) => {
    at ??= point
    if (point[0] !== at[0] || point[1] !== at[1]) how = 'overlap'
  }
  if (b1 === 0 && isWithin(b.from, a)) share(b.from)
  if (b2 === 0 && isWithin(b.to, a)) share(b.to)
  if (a1 === 0 && isWithin(a.from, b)) share(a.from)
  if (a2 === 0 && isWithin(a.to, b)) share(a.to)
  return at && { how, at }
}

function isWithin([x, y]: Position, segment: Segment): boolean {
  const [minX, minY, maxX, maxY] = boxOfSegment(segment)
  return x >= minX && x <= maxX && y >= minY && y <= maxY
}

/** Only for telling people where to look, so rounding does no harm. */
function crossingPoint(a: Segment, b: Segment): Position {
  const [ax, ay] = [a.to[0] - a.from[0], a.to[1] - a.from[1]]
  const [bx, by] = [b.to[0] - b.from[0], b.to[1] - b.from[1]]
  const share = ((b.from[0] - a.from[0]) * by - (b.from[1] - a.from[1]) * bx) / (ax * by - ay * bx)
  return [a.from[0] + ax * share, a.from[1] + ay * share]
}
