import { orient2d } from 'robust-predicates'

type Point = readonly [x: number, y: number, ...rest: number[]]

/**
 * 1 where c lies left of the way from a to b, -1 right of it, 0 on the line through both. Exact, because repair and
 * validity depend on whether a vertex lies on a line or beside it.
 */
export function orientation(a: Point, b: Point, c: Point): -1 | 0 | 1 {
  // The library's y axis points down.
  const side = orient2d(a[0], a[1], b[0], b[1], c[0], c[1])
  if (side === 0) return 0
  return side < 0 ? 1 : -1
}
