import { expect, it } from 'vitest'
import { limitOf } from './items-query.ts'

it('reduces limits to the maximum', () => {
  const limits = ['1', '007', '10000', '10001', '9999999999']
  expect(limits.map((limit) => limitOf({ limit }))).toEqual([1, 7, 10_000, 10_000, 10_000])
  expect(limitOf({})).toBe(100)
})
