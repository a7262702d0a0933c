import { describe, expect, it } from 'vitest'
import { judge, median, percentile } from './row.ts'

describe('a figure', () => {
  const row = { figure: 'anything', unit: 'ms' }

  it.each([
    ['holds at its limit', { value: 50, limit: 50 }, 'yes'],
    ['misses a limit that it passes', { value: 50.1, limit: 50 }, 'NO'],
    ['holds where it reaches what it must', { value: 0.5, atLeast: 0.5 }, 'yes'],
    ['misses what it does not reach', { value: 0.49, atLeast: 0.5 }, 'NO'],
    ['that nobody could read misses its limit', { value: Number.NaN, limit: 50 }, 'NO'],
    ['that could not be had says why', { limit: 50, failed: 'no browser' }, 'failed: no browser'],
    ['without a limit is not judged', { value: 50 }, ''],
  ])('%s', (_, given, verdict) => {
    expect(judge({ ...row, ...given })).toBe(verdict)
  })
})

describe('of many values', () => {
  const oneToHundred = Array.from({ length: 100 }, (_, index) => 100 - index)

  it('the percentile is one that so many do not pass', () => {
    expect(percentile(oneToHundred, 95)).toBe(95)
    expect(percentile(oneToHundred, 99)).toBe(99)
    expect(percentile([7], 99)).toBe(7)
  })

  it('the median is the middle one', () => {
    expect(median([3, 1, 2])).toBe(2)
  })
})
