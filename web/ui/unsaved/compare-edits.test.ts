import { describe, expect, it } from 'vitest'
import { compareEdits, differingFields } from './compare-edits.ts'

const fields = ['name', 'note', 'shape'] as const
type Values = Partial<Record<(typeof fields)[number], unknown>>

function compare(base: Values, mine: Values, theirs: Values, before?: Parameters<typeof compareEdits>[2]) {
  return compareEdits<string>(
    fields,
    {
      edited: differingFields(fields, base, mine),
      changed: differingFields(fields, base, theirs),
      differing: differingFields(fields, mine, theirs),
    },
    before,
  )
}

describe('compareEdits', () => {
  const base = { name: 'Lot', note: '', shape: [0, 0] }
  it.each<[string, Values, Values, { conflicts: string[]; updated: string[] }]>([
    ['nobody', {}, {}, { conflicts: [], updated: [] }],
    ['the user alone', { name: 'A' }, {}, { conflicts: [], updated: [] }],
    ['somebody else alone', {}, { name: 'B' }, { conflicts: [], updated: ['name'] }],
    ['both, differently', { name: 'A' }, { name: 'B' }, { conflicts: ['name'], updated: [] }],
    ['both, equally', { shape: [1, 1] }, { shape: [1, 1] }, { conflicts: [], updated: [] }],
    ['each another field', { name: 'A' }, { note: 'b' }, { conflicts: [], updated: ['note'] }],
  ])('compares fields that were changed by %s', (_, mine, theirs, expected) => {
    expect(compare(base, { ...base, ...mine }, { ...base, ...theirs })).toEqual(expected)
  })

  it('keeps earlier conflicts and updates until they are resolved', () => {
    const theirs = { ...base, name: 'B', note: 'b' }
    const mine = { ...theirs, name: 'A' }
    const before = { conflicts: ['name'], updated: ['note'] }
    expect(compare(theirs, mine, { ...theirs, shape: [1, 1] }, before)).toEqual({
      conflicts: ['name'],
      updated: ['note', 'shape'],
    })
    expect(compare(theirs, theirs, theirs, { conflicts: ['name'], updated: [] }).conflicts).toEqual([])
  })
})
