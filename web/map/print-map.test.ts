import { expect, it } from 'vitest'
import { roundLength } from './print-map.ts'

it.each([
  [130, 'metric', 100],
  [2_300, 'metric', 2_000],
  [130, 'imperial', 200 * 0.3048],
  [2_300, 'imperial', 5_000 * 0.3048],
  [9_000, 'imperial', 5 * 1_609.344],
] as const)('the scale of a printed map that fits into %d m (%s) is %d m', (max, units, meters) => {
  expect(roundLength(max, units)).toBeCloseTo(meters, 6)
})
