import { expect, it } from 'vitest'
import { isEqual } from './is-equal.ts'

it.each([
  [1, 1, true],
  ['1', 1, false],
  [null, undefined, false],
  [[1, [2, 3]], [1, [2, 3]], true],
  [[1, 2], [1, 2, 3], false],
  [[], {}, false],
  [{ a: 1, b: { c: [null] } }, { b: { c: [null] }, a: 1 }, true],
  [{ a: undefined }, {}, true],
  [{ a: null }, {}, false],
  [{ a: { b: 1 } }, { a: { b: 2 } }, false],
])('compares %j and %j', (one, other, expected) => {
  expect(isEqual(one, other)).toBe(expected)
  expect(isEqual(other, one)).toBe(expected)
})
