import { orient2d } from 'robust-predicates'

type Point = readonly [x: number, y: number, ...rest: number[]]

export type Segment<End extends Point = Point> = { readonly from: End; readonly to: End }

/** 1 if c is left of the line from a to b, -1 right of it, 0 on it; y grows upward. */
export function orientation(a: Point, b: Point, c: Point): -1 | 0 | 1 {
  // The library's y axis points down.
  const side = orient2d(a[0], a[1], b[0], b[1], c[0], c[1])
  if (side === 0) return 0
  return side < 0 ? 1 : -1
}

export type Meeting<End> = { how: 'cross' | 'overlap' | 'touch'; at: End | [x: number, y: number] }

export function meetingOf<End extends Point>(a: Segment<End>, b: Segment<End>): Meeting<End> | undefined {
  const b1 = orientation(a.from, a.to, b.from)
  const b2 = orientation(a.from, a.to, b.to)
  if (b1 !== b2) {
    if (b1 === 0) return touchAt(b.from, a)
    if (b2 === 0) return touchAt(b.to, a)
    const a1 = orientation(b.from, b.to, a.from)
    const a2 = orientation(b.from, b.to, a.to)
    if (a1 === a2) return undefined
    if (a1 === 0) return { how: 'touch', at: a.from }
    if (a2 === 0) return { how: 'touch', at: a.to }
    return { how: 'cross', at: crossingPoint(a, b) }
  }
  // A segment of zero length is on every line, so check the other one, too.
  const areOnOneLine = b1 === 0 && orientation(b.from, b.to, a.from) === 0
  return areOnOneLine ? meetingOnOneLine(a, b) : undefined
}

function touchAt<End extends Point>(end: End, other: Segment): Meeting<End> | undefined {
  return isInBox(end, other) ? { how: 'touch', at: end } : undefined
}

function meetingOnOneLine<End extends Point>(a: Segment<End>, b: Segment<End>): Meeting<End> | undefined {
  const shared = [
    ...[b.from, b.to].filter((end) => isInBox(end, a)),
    ...[a.from, a.to].filter((end) => isInBox(end, b)),
  ]
  const [at] = shared
  if (!at) return undefined
  const isStretch = shared.some(([x, y]) => x !== at[0] || y !== at[1])
  return { how: isStretch ? 'overlap' : 'touch', at }
}

/** Only for a point on the segment's line. */
function isInBox(point: Point, { from, to }: Segment): boolean {
  const x = point[0]
  const y = point[1]
  return (
    (from[0] < to[0] ? from[0] <= x && x <= to[0] : to[0] <= x && x <= from[0]) &&
    (from[1] < to[1] ? from[1] <= y && y <= to[1] : to[1] <= y && y <= from[1])
  )
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

/** Rounded: only for display. */
function crossingPoint(a: Segment, b: Segment): [x: number, y: number] {
  const [ax, ay] = [a.to[0] - a.from[0], a.to[1] - a.from[1]]
  const [bx, by] = [b.to[0] - b.from[0], b.to[1] - b.from[1]]
  const share = ((b.from[0] - a.from[0]) * by - (b.from[1] - a.from[1]) * bx) / (ax * by - ay * bx)
  return [a.from[0] + ax * share, a.from[1] + ay * share]
}
