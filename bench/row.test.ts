import { describe, expect, it } from 'vitest'
import { judge, median, percentile } from './row.ts'

describe('judge', () => {
  const row = { figure: 'anything', unit: 'ms' }

  it.each([
    ['passes at its limit', { value: 50, limit: 50 }, 'yes'],
    ['fails above its limit', { value: 50.1, limit: 50 }, 'NO'],
    ['passes at its minimum', { value: 0.5, atLeast: 0.5 }, 'yes'],
    ['fails below its minimum', { value: 0.49, atLeast: 0.5 }, 'NO'],
    ['fails if it is not a number', { value: Number.NaN, limit: 50 }, 'NO'],
    ['gives the reason of a failure', { limit: 50, failed: 'no browser' }, 'failed: no browser'],
    ['gives no verdict without a limit', { value: 50 }, ''],
  ])('%s', (_, given, verdict) => {
    expect(judge({ ...row, ...given })).toBe(verdict)
  })
})

describe('statistics', () => {
  const oneToHundred = Array.from({ length: 100 }, (_, index) => 100 - index)

  it('percentile returns the value by nearest rank', () => {
    expect(percentile(oneToHundred, 95)).toBe(95)
    expect(percentile(oneToHundred, 99)).toBe(99)
    expect(percentile([7], 99)).toBe(7)
  })

  it('median returns the middle value', () => {
    expect(median([3, 1, 2])).toBe(2)
  })
})
