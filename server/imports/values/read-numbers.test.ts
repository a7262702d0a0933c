import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRounded, losesDecimals, readNumber } from './read-numbers.ts'

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

  it.each([
    ['0.12345678901234567890', true],
    ['123456.789012345678', true],
    ['-1.2345678901234567890e-5', true],
    ['1.5', false],
    ['0.30000000000000004', false],
    ['0.10000000000000000555', false],
    ['-71.08999999999998920', false],
    ['0.1000000000000000055511151231257827', false],
    ['0.00000000000000000000000', false],
    ['00012.50000000000000000000', false],
    ['$ 1,234.5', false],
    ['n/a', false],
    [0.1, false],
  ])('detects that %j is rounded: %j', (value, rounded) => {
    expect(isRounded(value)).toBe(rounded)
  })

  it('finds no loss in a number as it is printed', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(losesDecimals(String(number))).toBe(false)
      }),
      { examples: [[1965288613986966.2]] },
    )
  })

  it('rejects whole numbers with more digits than a double holds', () => {
    expect(readNumber('253418300000000011')).toBeUndefined()
    expect(readNumber('9007199254740991')).toBe(9_007_199_254_740_991)
  })
})
