import { describe, expect, it } from 'vitest'
import { fieldsOf, noCustomFields } from '#domain/features/custom-fields.ts'
import { fieldLabels } from '#domain/imports/field-labels.ts'
import { fieldsOfKind } from './fields.ts'
import { ColumnMapping } from './map-columns.ts'

const mappingOf = (kind: 'incident' | 'asset' | 'parcel', explicit: Record<string, string> = {}) =>
  new ColumnMapping(fieldsOfKind(kind), new Map(Object.entries(explicit)))

describe('ColumnMapping', () => {
  it.each<
    [
      string,
      kind: 'incident' | 'asset' | 'parcel',
      columns: string,
      explicit: Record<string, string>,
      fields: object,
      rest: string,
    ]
  >([
    [
      'matches names in any case and punctuation',
      'incident',
      'Reported By,resolved_date,SEVERITY,LAT,Lng,Other',
      {},
      {
        reportedBy: 'Reported By',
        resolvedDate: 'resolved_date',
        severity: 'SEVERITY',
        latitude: 'LAT',
        longitude: 'Lng',
      },
      'Other',
    ],
    ['prefers the key of a field to its aliases', 'incident', 'Name,Title', {}, { title: 'Title' }, 'Name'],
    ['prefers the key of a field to its aliases', 'asset', 'Title,Name', {}, { name: 'Name' }, 'Title'],
    ['prefers selected columns', 'incident', 'title,CASE', { title: 'CASE' }, { title: 'CASE' }, 'title'],
    [
      'fills two fields from one column',
      'parcel',
      'ZONE',
      { name: 'ZONE', 'zoning.type': 'ZONE' },
      { name: 'ZONE', 'zoning.type': 'ZONE' },
      '',
    ],
    ['stores the column of the id', 'asset', 'GlobalID,id', {}, { id: 'id' }, 'GlobalID,id'],
    ['matches no parcel id by its name', 'asset', 'parcelId', {}, {}, 'parcelId'],
    [
      'fills a parcel id from a selected column',
      'asset',
      'parcelId',
      { parcelId: 'parcelId' },
      { parcelId: 'parcelId' },
      '',
    ],
  ])('%s: %s, %s', (_, kind, columns, explicit, fields, rest) => {
    const properties = columns.split(',').map((column) => [column, `value of ${column}`] as const)
    const assigned = mappingOf(kind, explicit).assign(properties, new Set())
    expect(Object.fromEntries([...assigned.fields].map(([field, { column }]) => [field, column]))).toEqual(
      fields,
    )
    expect(assigned.rest.map(([column]) => column).join()).toBe(rest)
  })

  it('ignores fields of the location in a record with a geometry', () => {
    const { fields, rest } = mappingOf('asset').assign([['lat', 1]], new Set(['latitude', 'longitude']))
    expect([fields.size, rest]).toEqual([0, [['lat', 1]]])
  })

  it('returns selected columns that no record has', () => {
    const mapping = mappingOf('asset', { name: 'A', type: 'B' })
    mapping.assign([['A', 1]], new Set())
    expect([mapping.unseenColumns, mapping.seenColumns]).toEqual([['B'], ['A']])
  })
})

it.each(['parcel', 'asset', 'incident'] as const)('every field of a %s has a label', (kind) => {
  const labels = fieldLabels(fieldsOf(kind, noCustomFields))
  for (const field of Object.keys(fieldsOfKind(kind))) expect(labels.get(field), field).toMatch(/^[A-Z]/)
})
