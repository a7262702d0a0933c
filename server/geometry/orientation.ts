// Exact, because repair and validity hang on whether a vertex lies on a line or beside it.

type Point = readonly [x: number, y: number, ...rest: number[]]

/** Bound of the rounding error of the determinant (Shewchuk 1997, 'Adaptive Precision Floating-Point'). */
const errorBound = (3 + 16 * 2 ** -53) * 2 ** -53

/** 1 where c lies left of the way from a to b, -1 right of it, 0 on the line through both. */
export function orientation(a: Point, b: Point, c: Point): -1 | 0 | 1 {
  const left = (a[0] - c[0]) * (b[1] - c[1])
  const right = (a[1] - c[1]) * (b[0] - c[0])
  const determinant = left - right
  if (Math.abs(determinant) > errorBound * (Math.abs(left) + Math.abs(right))) return determinant > 0 ? 1 : -1
  // Edges that follow each other meet at an end; nothing is to be calculated for them.
  if (isSame(a, c) || isSame(b, c)) return 0
  return exactOrientation(a, b, c)
}

const isSame = (a: Point, b: Point) => a[0] === b[0] && a[1] === b[1]

function exactOrientation(a: Point, b: Point, c: Point): -1 | 0 | 1 {
  const [ax, ay, bx, by, cx, cy] = [a[0], a[1], b[0], b[1], c[0], c[1]].map(scaled) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  const determinant = (ax - cx) * (by - cy) - (ay - cy) * (bx - cx)
  if (determinant === 0n) return 0
  return determinant > 0n ? 1 : -1
}

/** Degrees as whole numbers: exact for all but distances far below that of an atom (2^-148 degrees). */
function scaled(value: number): bigint {
  return BigInt(Math.trunc(value * 2 ** 200))
}
