import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText, foldText, isStorableText } from './text.ts'

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
