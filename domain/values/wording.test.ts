import { describe, expect, it } from 'vitest'
import { counted, formatList, plural } from './wording.ts'

describe('wording', () => {
  it.each([
    [0, '0 rows'],
    [1, '1 row'],
    [2, '2 rows'],
    [12_345, '12,345 rows'],
  ])('counts %d rows', (count, text) => {
    expect(counted(count, 'row')).toBe(text)
  })

  it('takes irregular plurals and verbs', () => {
    expect(counted(2, 'property', 'properties')).toBe('2 properties')
    expect([1, 3].map((count) => plural(count, 'is', 'are'))).toEqual(['is', 'are'])
  })

  it('lists in American English', () => {
    expect(formatList(['name'])).toBe('name')
    expect(formatList(['name', 'owner'])).toBe('name and owner')
    expect(formatList(['name', 'owner', 'size'])).toBe('name, owner, and size')
  })
})
