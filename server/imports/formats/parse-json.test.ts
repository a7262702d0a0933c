import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonError } from './parse-json.ts'

describe('findJsonError', () => {
  it.each([
    ['{"a":1,}', 7, 'found "}" where a name should be'],
    ['{"a" 1}', 5, 'found "1" where a colon should be'],
    ['{"a":1 "b":2}', 7, 'found "\\"" where , or } should be'],
    ['[1,]', 3, 'found "]" where a value should be'],
    ['[1 2]', 3, 'found "2" where , or ] should be'],
    ['[}', 1, 'found "}" where a value or ] should be'],
    ['{"a":nul}', 5, 'found "n" where a value should be'],
    ['[01]', 2, 'found "1" where , or ] should be'],
    ['["a\nb"]', 3, 'found a control character inside a text'],
    ['["\\x"]', 2, 'found the unknown escape \\x inside a text'],
    ['["abc', 1, 'found a text that never ends'],
    ['{"a":[1', 7, 'the text ends where , or ] should follow'],
    ['1 1', 2, 'found "1" where nothing more should be'],
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
