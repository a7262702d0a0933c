import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, foldText, isStorableText, nameInWords, searchWords, wordsToFind } from './text.ts'

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

  it('is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })

  it('returns words of letters and digits, joined by single spaces', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(text)).toMatch(/^([\p{L}\p{N}]+( [\p{L}\p{N}]+)*)?$/u)
      }),
    )
  })
})

describe('searchWords', () => {
  it('returns folded words', () => {
    expect(searchWords(' Élan, lot #12 ')).toEqual(['elan', 'lot', '12'])
    expect(searchWords(' ... ')).toEqual([])
  })

  it('cuts words that engines would refuse, between characters', () => {
    expect(searchWords(`${'a'.repeat(201)} b`)).toEqual(['a'.repeat(200), 'b'])
    expect(searchWords('𧏊'.repeat(300))).toEqual(['𧏊'.repeat(200)])
  })
})

describe('wordsToFind', () => {
  it('returns each word once, without beginnings of other words', () => {
    expect(wordsToFind('Fire fire FIRES fi hydrant')).toEqual(['hydrant', 'fires'])
    expect(wordsToFind('a b a b')).toEqual(['a', 'b'])
    expect(wordsToFind(' ... ')).toEqual([])
  })

  it('returns the eight longest words', () => {
    expect(wordsToFind('k1 k22 k333 l1 l22 l333 m1 m22 m333 n4444')).toEqual([
      ...['n4444', 'k333', 'l333', 'm333', 'k22', 'l22', 'm22', 'k1'],
    ])
  })

  it('finds the same as all words of the text, up to eight', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 })
    const has = (words: readonly string[], sought: readonly string[]) =>
      sought.every((start) => words.some((other) => other.startsWith(start)))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(word), (sought, words) => {
        expect(has(words, wordsToFind(sought.join(' ')))).toBe(has(words, sought))
      }),
    )
  })
})

describe('cutText', () => {
  it('returns a short text unchanged', () => {
    expect(cutText('x'.repeat(60))).toBe('x'.repeat(60))
  })

  it('cuts at 60 characters', () => {
    expect(cutText('x'.repeat(61))).toBe(`${'x'.repeat(60)}…`)
  })

  it('counts user-perceived characters', () => {
    expect(cutText('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦…')
  })

  it('leaves no space before the ellipsis', () => {
    expect(cutText('one two', 4)).toBe('one…')
  })
})

describe('nameInWords', () => {
  it.each([
    ['customField1', 'Custom field 1'],
    ['flag', 'Flag'],
    ['YearBuilt', 'Year built'],
    ['owner_name', 'Owner name'],
    ['parcelAPN', 'Parcel APN'],
    ['APNCode', 'APN code'],
    ['ZONE_CODE', 'ZONE CODE'],
    ['Depth (ft)', 'Depth (ft)'],
    ['lot Size', 'Lot Size'],
    ['élanVital', 'Élan vital'],
    ['水深', '水深'],
    ['_', '_'],
  ])('%j is %j', (name, words) => {
    expect(nameInWords(name)).toBe(words)
  })
})
