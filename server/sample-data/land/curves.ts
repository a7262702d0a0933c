import type { SeededRandom } from '../seeded-random.ts'
import { between, cross, distance, meetingShare, nearestOnSegment, type Point } from './plane.ts'

/** A point on a line: how far along it is, in metres, and how far away. */
export type Foot = { point: Point; along: number; away: number }

export function segmentsOf(line: readonly Point[]): [Point, Point][] {
  return line.slice(1).map((to, index) => [line[index] as Point, to])
}

export function lineLength(line: readonly Point[]): number {
  return segmentsOf(line).reduce((sum, [from, to]) => sum + distance(from, to), 0)
}

export function footOnLine(point: Point, line: readonly Point[]): Foot {
  let best: Foot = { point: line[0] as Point, along: 0, away: Infinity }
  let passed = 0
  for (const [from, to] of segmentsOf(line)) {
    const foot = nearestOnSegment(point, from, to)
    const away = distance(point, foot)
    if (away < best.away) best = { point: foot, along: passed + distance(from, foot), away }
    passed += distance(from, to)
  }
  return best
}

/** The point `along` metres from the start, moved `aside` metres to the left. */
export function pointAlong(line: readonly Point[], along: number, aside = 0): Point {
  let left = along
  const segments = segmentsOf(line)
  for (const [index, [from, to]] of segments.entries()) {
    const length = distance(from, to)
    if (left > length && index < segments.length - 1) {
      left -= length
      continue
    }
    const [x, y] = between(from, to, Math.min(1, left / length))
    return [x - ((to[1] - from[1]) / length) * aside, y + ((to[0] - from[0]) / length) * aside]
  }
  throw new Error('A line needs two points')
}

/** The part of a line between two distances from its start. */
export function partOfLine(line: readonly Point[], from: number, to: number): Point[] {
  let passed = 0
  const inner = line.filter((point, index) => {
    if (index > 0) passed += distance(line[index - 1] as Point, point)
    return passed > from && passed < to
  })
  return [pointAlong(line, from), ...inner, pointAlong(line, to)]
}

const samplesPerSpan = 10
/** A point that lies this close to its neighbours' chord is left out. */
const straightWithinMeters = 0.6

/** A Catmull-Rom curve through all points; two points stay a straight line. */
export function smoothCurve(points: readonly Point[]): Point[] {
  if (points.length < 3) return [...points]
  const at = (index: number) => points[Math.max(0, Math.min(points.length - 1, index))] as Point
  const curve: Point[] = [at(0)]
  for (let span = 0; span < points.length - 1; span++) {
    const [before, from, to, after] = [at(span - 1), at(span), at(span + 1), at(span + 2)]
    for (let sample = 1; sample <= samplesPerSpan; sample++) {
      const t = sample / samplesPerSpan
      const blend = (axis: 0 | 1) =>
        0.5 *
        (2 * from[axis] +
          (to[axis] - before[axis]) * t +
          (2 * before[axis] - 5 * from[axis] + 4 * to[axis] - after[axis]) * t ** 2 +
          (3 * from[axis] - before[axis] - 3 * to[axis] + after[axis]) * t ** 3)
      curve.push([blend(0), blend(1)])
    }
  }
  return withoutStraightPoints(curve)
}

function withoutStraightPoints(line: readonly Point[]): Point[] {
  const kept: Point[] = [line[0] as Point]
  for (let index = 1; index < line.length - 1; index++) {
    const [from, point, to] = [kept.at(-1) as Point, line[index] as Point, line[index + 1] as Point]
    if (Math.abs(cross(from, to, point)) / distance(from, to) > straightWithinMeters) kept.push(point)
  }
  return [...kept, line.at(-1) as Point]
}

/** A line beside the line, `aside` metres to the left (negative: right), with mitred corners. */
export function offsetLine(line: readonly Point[], aside: number): Point[] {
  const normals = segmentsOf(line).map(([from, to]): Point => {
    const length = distance(from, to)
    return [-(to[1] - from[1]) / length, (to[0] - from[0]) / length]
  })
  return line.map((point, index) => {
    const before = normals[Math.max(0, index - 1)] as Point
    const after = normals[Math.min(normals.length - 1, index)] as Point
    const [x, y] = [before[0] + after[0], before[1] + after[1]]
    const scale = (2 * aside) / (x * x + y * y)
    return [point[0] + x * scale, point[1] + y * scale]
  })
}

/** Bends a line as water does: every span is broken in two at a point moved aside by chance, and again. */
export function meander(line: readonly Point[], random: SeededRandom): Point[] {
  let bent = [...line]
  for (const share of [0.2, 0.2]) {
    bent = [
      bent[0] as Point,
      ...segmentsOf(bent).flatMap(([from, to]): Point[] => {
        const reach = share * random.pick([-1, 1]) * random.between(0.4, 1)
        const [x, y] = between(from, to, random.between(0.4, 0.6))
        return [[x - (to[1] - from[1]) * reach, y + (to[0] - from[0]) * reach], to]
      }),
    ]
  }
  return bent
}

/** Where two lines cross each other first, or undefined. */
export function crossingOfLines(line: readonly Point[], other: readonly Point[]): Point | undefined {
  for (const [from, to] of segmentsOf(line)) {
    for (const [otherFrom, otherTo] of segmentsOf(other)) {
      const share = meetingShare(from, to, otherFrom, otherTo)
      if (share !== undefined) return between(from, to, share)
    }
  }
  return undefined
}
