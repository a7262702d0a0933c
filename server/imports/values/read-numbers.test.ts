import { describe, expect, it } from 'vitest'
import { readNumber } from './read-numbers.ts'

describe('readNumber', () => {
  it.each([
    [5, 5],
    ['3,224.00', 3224],
    ['1,234,567', 1_234_567],
    [' $ 335,700 ', 335_700],
    ['1 234.5', 1234.5],
    ['-.5', -0.5],
    ['1.5e3', 1500],
    ['1\u00a0234\u202f567', 1_234_567],
    ['-$ 5', -5],
    ['1 23.5', undefined],
    ['12 34', undefined],
    ['12,34', undefined],
    ['42,3288', undefined],
    ['1.2.3', undefined],
    ['n/a', undefined],
    ['', undefined],
    ['0x10', undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [true, undefined],
  ])('%j is %j', (value, number) => {
    expect(readNumber(value)).toBe(number)
  })

  it.each([
    ['42,3901', 42.3901],
    ['-71,0991', -71.0991],
    ['1.234.567,5', 1_234_567.5],
    ['1 234,5', 1234.5],
    ['1 23,5', undefined],
    ['42.3901', undefined],
  ])('with a decimal comma %j is %j', (value, number) => {
    expect(readNumber(value, 'comma')).toBe(number)
  })

  it('understands no whole number whose digits it would lose', () => {
    expect(readNumber('253418300000000011')).toBeUndefined()
    expect(readNumber('9007199254740991')).toBe(9_007_199_254_740_991)
  })
})
