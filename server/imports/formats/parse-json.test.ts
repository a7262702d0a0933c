import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonError } from './parse-json.ts'

describe('findJsonError', () => {
  it.each([
    ['{"a":1,}', 7, 'found "}" instead of a name'],
    ['{"a" 1}', 5, 'found "1" instead of a colon'],
    ['{"a":1 "b":2}', 7, 'found "\\"" instead of , or }'],
    ['[1,]', 3, 'found "]" instead of a value'],
    ['[1 2]', 3, 'found "2" instead of , or ]'],
    ['[}', 1, 'found "}" instead of a value or ]'],
    ['{"a":nul}', 5, 'found "n" instead of a value'],
    ['[01]', 2, 'found "1" instead of , or ]'],
    ['["a\nb"]', 3, 'found a control character in a string'],
    ['["\\x"]', 2, 'found the unknown escape \\x in a string'],
    ['["abc', 1, 'found a string that never ends'],
    ['{"a":[1', 7, 'found the end instead of , or ]'],
    ['1 1', 2, 'found "1" instead of nothing more'],
  ])('%j: at %i, %s', (text, index, message) => {
    expect(findJsonError(text)).toEqual({ index, message })
  })

  it('finds an error exactly where JSON.parse does', () => {
    const nearlyJson = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '1', '\\', 'e', '-', ' '),
      )
      .map(([json, at, extra]) => {
        const index = at % (json.length + 1)
        return json.slice(0, index) + extra + json.slice(index + 1)
      })
    fc.assert(
      fc.property(nearlyJson, (text) => {
        expect(findJsonError(text) === undefined).toBe(isJson(text))
      }),
      { numRuns: 2000 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
