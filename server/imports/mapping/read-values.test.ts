import { describe, expect, it } from 'vitest'
import { assetTypes } from '#domain/assets/asset-types.ts'
import type { AreaUnit } from '#domain/imports/import-layout.schema.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import {
  area,
  count,
  day,
  idOfFeature,
  isBlank,
  listOf,
  name,
  oneOf,
  text,
  type ValueReader,
  yesOrNo,
} from './read-values.ts'

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

const incidentType = oneOf(incidentTypes)
it.each<readonly [ValueReader, value: unknown, expected: unknown]>([
  ...[true, 'true', 'Yes', 'Y', 1, '1', 'Closed', 'RESOLVED', ' done '].map(
    (value) => [yesOrNo, value, true] as const,
  ),
  ...[false, 'false', 'no', 'N', 0, '0', 'Open', 'unresolved', 'Active', 'In Progress'].map(
    (value) => [yesOrNo, value, false] as const,
  ),
  [yesOrNo, 'perhaps', undefined],
  [yesOrNo, 2, undefined],
  [incidentType, 'Fallen Tree', 'fallen_tree'],
  [incidentType, 'fallen-tree', 'fallen_tree'],
  [incidentType, ' FIRE ', 'fire'],
  [incidentType, 'tree', undefined],
  [incidentType, 5, undefined],
  [count, '2.0', 2],
  [count, '2.5', undefined],
  [count, -1, undefined],
  [text, ' <b>a</b> ', ' <b>a</b> '],
  [text, ['a'], undefined],
  [name, ' Oak ', 'Oak'],
  [name, 7, '7'],
  [idOfFeature, 'parcel-1', 'parcel-1'],
  [idOfFeature, 'parcel 1', undefined],
])('reads %j: %j is %j', (reader, value, expected) => {
  expect(reader.read(value, context)).toBe(expected)
})

it('names the words that it expects', () => {
  expect(oneOf(assetTypes).expected).toBe(
    'one of water, electrical, road, residence, facility, recreation, communication',
  )
})

it('reads a list from JSON, newest first, or not at all', () => {
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

it('an empty cell is blank', () => {
  expect([null, undefined, '', '  '].every(isBlank)).toBe(true)
  expect([0, false, 'x'].some(isBlank)).toBe(false)
})
