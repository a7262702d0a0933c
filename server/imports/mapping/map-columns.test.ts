import { describe, expect, it } from 'vitest'
import { fieldsOfKind } from './fields.ts'
import { ColumnMapping } from './map-columns.ts'

const noField = new Set<string>()

function assign(
  kind: 'incident' | 'asset' | 'parcel',
  columns: string[],
  explicit: Record<string, string> = {},
  ignored = noField,
) {
  const mapping = new ColumnMapping(fieldsOfKind(kind), new Map(Object.entries(explicit)))
  const { fields, rest } = mapping.assign(
    columns.map((column) => [column, `value of ${column}`] as const),
    ignored,
  )
  return {
    fields: Object.fromEntries([...fields].map(([field, { column }]) => [field, column])),
    rest: rest.map(([column]) => column),
  }
}

describe('ColumnMapping', () => {
  it('knows fields by their names, however these are written', () => {
    const columns = ['Reported By', 'resolved_date', 'SEVERITY', 'LAT', 'Lng', 'Other']
    expect(assign('incident', columns)).toEqual({
      fields: {
        reportedBy: 'Reported By',
        resolvedDate: 'resolved_date',
        severity: 'SEVERITY',
        latitude: 'LAT',
        longitude: 'Lng',
      },
      rest: ['Other'],
    })
  })

  it('prefers the key of a field to its other names', () => {
    expect(assign('incident', ['Name', 'Title'])).toEqual({ fields: { title: 'Title' }, rest: ['Name'] })
    expect(assign('asset', ['Title', 'Name'])).toEqual({ fields: { name: 'Name' }, rest: ['Title'] })
  })

  it('prefers what a person says, and keeps what it would have taken', () => {
    expect(assign('incident', ['title', 'CASE'], { title: 'CASE' })).toEqual({
      fields: { title: 'CASE' },
      rest: ['title'],
    })
  })

  it('fills two fields from one column', () => {
    expect(assign('parcel', ['ZONE'], { name: 'ZONE', 'zoning.type': 'ZONE' })).toEqual({
      fields: { name: 'ZONE', 'zoning.type': 'ZONE' },
      rest: [],
    })
  })

  it('keeps the column of the id, by which people know the record', () => {
    expect(assign('asset', ['GlobalID', 'id'])).toEqual({ fields: { id: 'id' }, rest: ['GlobalID', 'id'] })
  })

  it('takes no column for a parcel id unasked', () => {
    expect(assign('asset', ['parcelId'])).toEqual({ fields: {}, rest: ['parcelId'] })
    expect(assign('asset', ['parcelId'], { parcelId: 'parcelId' }).fields).toEqual({ parcelId: 'parcelId' })
  })

  it('leaves the place in the columns alone where a record has a geometry', () => {
    expect(assign('asset', ['lat', 'name'], {}, new Set(['latitude', 'longitude']))).toEqual({
      fields: { name: 'name' },
      rest: ['lat'],
    })
  })

  it('knows which named columns never came', () => {
    const mapping = new ColumnMapping(
      fieldsOfKind('asset'),
      new Map([
        ['name', 'A'],
        ['type', 'B'],
      ]),
    )
    mapping.assign([['A', 1]], noField)
    expect(mapping.unseenColumns).toEqual(['B'])
    expect(mapping.seenColumns).toEqual(['A'])
  })
})
