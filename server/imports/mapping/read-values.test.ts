import { describe, expect, it } from 'vitest'
import { assetTypes } from '#domain/assets/asset-types.ts'
import type { AreaUnit } from '#domain/imports/import-layout.schema.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { area, count, day, idOfFeature, isBlank, listOf, name, oneOf, text, yesOrNo } from './read-values.ts'

const context = { timeZone: 'UTC', areaUnit: 'acre' as AreaUnit }

describe('area', () => {
  it.each([
    ['acre', '2.5', 2.5],
    ['sqft', '43,560', 1],
    ['m2', 4046.8564224, 1],
    ['ha', '1', 2.4710538],
    ['acre', '-1', undefined],
  ] as const)('in %s: %s is %s acres', (areaUnit, value, acres) => {
    const read = area.read(value, { timeZone: 'UTC', areaUnit })
    expect(read === undefined ? read : Number((read as number).toFixed(7))).toBe(acres)
  })
})

describe('yesOrNo', () => {
  it.each([true, 'true', 'Yes', 'Y', 1, '1', 'Closed', 'RESOLVED', ' done '])('%j is yes', (value) => {
    expect(yesOrNo.read(value, context)).toBe(true)
  })

  it.each([false, 'false', 'no', 'N', 0, '0', 'Open', 'unresolved', 'Active', 'In Progress'])(
    '%j is no',
    (value) => {
      expect(yesOrNo.read(value, context)).toBe(false)
    },
  )

  it.each(['perhaps', 2])('%j is neither', (value) => {
    expect(yesOrNo.read(value, context)).toBeUndefined()
  })
})

describe('oneOf', () => {
  it.each([
    ['Fallen Tree', 'fallen_tree'],
    ['fallen-tree', 'fallen_tree'],
    [' FIRE ', 'fire'],
    ['tree', undefined],
    [5, undefined],
  ])('%j among the incident types is %s', (value, type) => {
    expect(oneOf(incidentTypes).read(value, context)).toBe(type)
  })

  it('says what it expects', () => {
    expect(oneOf(assetTypes).expected).toBe(
      'one of water, electrical, road, residence, facility, recreation, communication',
    )
  })
})

describe('other values', () => {
  it('a whole number is one', () => {
    expect(count.read('2.0', context)).toBe(2)
    expect(count.read('2.5', context)).toBeUndefined()
    expect(count.read(-1, context)).toBeUndefined()
  })

  it('text stays as it is, a name is trimmed, and neither is a list', () => {
    expect(text.read(' <b>a</b> ', context)).toBe(' <b>a</b> ')
    expect(name.read(' Oak ', context)).toBe('Oak')
    expect(name.read(7, context)).toBe('7')
    expect(text.read(['a'], context)).toBeUndefined()
  })

  it('a list is JSON, newest first, and nothing of it is lost', () => {
    const visits = listOf([
      { key: 'date', isRequired: true, isDate: true, reader: day },
      { key: 'note', isRequired: false, isDate: false, reader: text },
    ])
    const read = (value: unknown) => visits.read(value, context)
    const newestFirst = [
      { date: '2025-02-01', note: null },
      { date: '2024-01-31', note: 'x' },
    ]
    expect(read([{ date: '1/31/2024', note: 'x' }, { date: '2025-02-01' }])).toEqual(newestFirst)
    expect(read(JSON.stringify(newestFirst))).toEqual(newestFirst)
    expect(read([])).toEqual([])
    for (const wrong of [
      '2 visits',
      '{}',
      7,
      [null],
      [{ note: 'x' }],
      [{ date: 'May' }],
      [{ date: '2025-02-01', by: 'A' }],
    ])
      expect(read(wrong), JSON.stringify(wrong)).toBeUndefined()
  })

  it('an id has no spaces', () => {
    expect(idOfFeature.read('parcel-1', context)).toBe('parcel-1')
    expect(idOfFeature.read('parcel 1', context)).toBeUndefined()
  })

  it('an empty cell is blank', () => {
    expect([null, undefined, '', '  '].every(isBlank)).toBe(true)
    expect([0, false, 'x'].some(isBlank)).toBe(false)
  })
})
