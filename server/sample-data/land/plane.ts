// Plane geometry in metres: x grows east, y grows north. Rings are counterclockwise and not closed.

export type Point = readonly [x: number, y: number]

export function distance(from: Point, to: Point): number {
  return Math.hypot(to[0] - from[0], to[1] - from[1])
}

/** The point at `share` of the way. */
export function between(from: Point, to: Point, share: number): Point {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
}

export function cross(from: Point, to: Point, point: Point): number {
  return (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])
}

/** Edges of a ring, the last one back to the start. */
export function edgesOf(ring: readonly Point[]): [Point, Point][] {
  return ring.map((point, index) => [point, ring[(index + 1) % ring.length] as Point])
}

/** Positive where the ring runs counterclockwise. */
export function ringArea(ring: readonly Point[]): number {
  return edgesOf(ring).reduce((sum, [from, to]) => sum + from[0] * to[1] - to[0] * from[1], 0) / 2
}

export function ringLength(ring: readonly Point[]): number {
  return edgesOf(ring).reduce((sum, [from, to]) => sum + distance(from, to), 0)
}

export function ringCentroid(ring: readonly Point[]): Point {
  const area = ringArea(ring)
  let x = 0
  let y = 0
  for (const [from, to] of edgesOf(ring)) {
    const weight = from[0] * to[1] - to[0] * from[1]
    x += (from[0] + to[0]) * weight
    y += (from[1] + to[1]) * weight
  }
  return [x / (6 * area), y / (6 * area)]
}

/** Even-odd rule; points on the edge may fall either way. */
export function isInsideRing(point: Point, ring: readonly Point[]): boolean {
  let inside = false
  for (const [from, to] of edgesOf(ring)) {
    const crosses = from[1] > point[1] !== to[1] > point[1]
    if (crosses && point[0] < ((to[0] - from[0]) * (point[1] - from[1])) / (to[1] - from[1]) + from[0])
      inside = !inside
  }
  return inside
}

export function nearestOnSegment(point: Point, from: Point, to: Point): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const squared = dx * dx + dy * dy
  const share = squared === 0 ? 0 : ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / squared
  return between(from, to, Math.max(0, Math.min(1, share)))
}

export function distanceToRing(point: Point, ring: readonly Point[]): number {
  return Math.min(...edgesOf(ring).map(([from, to]) => distance(point, nearestOnSegment(point, from, to))))
}

/** Share of the way along the first segment where it meets the second, or undefined. */
export function meetingShare(from: Point, to: Point, edgeFrom: Point, edgeTo: Point): number | undefined {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const [ex, ey] = [edgeTo[0] - edgeFrom[0], edgeTo[1] - edgeFrom[1]]
  const determinant = dx * ey - dy * ex
  if (determinant === 0) return undefined
  const [ox, oy] = [edgeFrom[0] - from[0], edgeFrom[1] - from[1]]
  const share = (ox * ey - oy * ex) / determinant
  const edgeShare = (ox * dy - oy * dx) / determinant
  return share >= 0 && share <= 1 && edgeShare >= 0 && edgeShare <= 1 ? share : undefined
}
