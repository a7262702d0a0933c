import { expect, it } from 'vitest'
import { itemsQuery, limits } from './items-question.ts'

it('takes more features than a page can have for as many as it can', () => {
  const limitOf = (limit?: string) => itemsQuery.parse({ limit }).limit
  expect(limits).toEqual({ least: 1, usual: 100, most: 10_000 })
  expect(['1', '007', '10000', '10001', '9999999999'].map(limitOf)).toEqual([1, 7, 10_000, 10_000, 10_000])
  expect(limitOf()).toBe(100)
})
