import { expect, test } from 'vitest'
import { acresOfRing } from './ring-acres.ts'

test('a hundredth of a degree square at the equator, on the ellipsoid', () => {
  // 1113.1949 m by 1105.7428 m, the lengths of a hundredth of a degree there.
  const ring: [number, number][] = [
    [0, 0],
    [0.01, 0],
    [0.01, 0.01],
    [0, 0.01],
    [0, 0],
  ]
  expect(acresOfRing(ring)).toBeCloseTo((1113.1949 * 1105.7428) / 4046.8564224, 1)
  expect(acresOfRing(ring.toReversed())).toBe(acresOfRing(ring))
})
