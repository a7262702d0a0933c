import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, foldText, isStorableText, searchWords } from './text.ts'

const anyText = fc.string({ unit: 'binary' })

describe('isStorableText', () => {
  it.each([
    ['plain', true],
    ['', true],
    ['😀', true],
    ['a\u0000b', false],
    ['\ud83d', false],
    ['a\udc00', false],
  ])('%j: %s', (text, isStorable) => {
    expect(isStorableText(text)).toBe(isStorable)
  })
})

describe('foldText', () => {
  it.each([
    ['  Oak  Lane, #12 ', 'oak lane 12'],
    ['Élan VITAL', 'elan vital'],
    ["O'Neil-Smith", 'o neil smith'],
    ['ﬁre', 'fire'],
    ['水道', '水道'],
    ['...', ''],
  ])('%j becomes %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })

  it('leaves words of letters and digits, joined by single spaces', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(text)).toMatch(/^([\p{L}\p{N}]+( [\p{L}\p{N}]+)*)?$/u)
      }),
    )
  })
})

describe('searchWords', () => {
  it('are the folded words', () => {
    expect(searchWords(' Élan, lot #12 ')).toEqual(['elan', 'lot', '12'])
    expect(searchWords(' ... ')).toEqual([])
  })

  it('are cut where engines would refuse them, between characters', () => {
    expect(searchWords(`${'a'.repeat(201)} b`)).toEqual(['a'.repeat(200), 'b'])
    expect(searchWords('𧏊'.repeat(300))).toEqual(['𧏊'.repeat(200)])
  })
})

describe('cutText', () => {
  it('leaves a text alone that fits', () => {
    expect(cutText('x'.repeat(60))).toBe('x'.repeat(60))
  })

  it('cuts at 60 characters', () => {
    expect(cutText('x'.repeat(61))).toBe(`${'x'.repeat(60)}…`)
  })

  it('counts what people see as one character as one', () => {
    expect(cutText('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦…')
  })

  it('leaves no space before the ellipsis', () => {
    expect(cutText('one two', 4)).toBe('one…')
  })
})
