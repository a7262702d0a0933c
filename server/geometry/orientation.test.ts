import { expect, it } from 'vitest'
import { orientation } from './orientation.ts'

it('is exact, down to the last digit', () => {
  const steps = Array.from({ length: 32 }, (_, index) => 0.5 + index * 2 ** -53)
  // Where the way goes along the diagonal, the larger coordinate decides.
  const wrong = steps.flatMap((x) =>
    steps.filter((y) => orientation([x, y], [12, 12], [24, 24]) !== Math.sign(x - y) * -1 + 0),
  )
  expect(wrong).toEqual([])
})

it('knows left from right', () => {
  expect(orientation([0, 0], [1, 0], [0, 1])).toBe(1)
  expect(orientation([0, 0], [1, 0], [0, -1])).toBe(-1)
  expect(orientation([0, 0], [1, 0], [5, 0])).toBe(0)
})
