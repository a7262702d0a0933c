import { describe, expect, it } from 'vitest'
import { newFeature } from '#domain/features/feature.schema.ts'
import { contextOf, featureOf, reasonOf, rowOf } from '#test/imports/import-inputs.ts'
import { readWkt } from '../formats/well-known-shapes.ts'
import { buildRow } from './build-row.ts'

const point = { type: 'Point', coordinates: [1, 2] }
const square = readWkt('POLYGON ((0 0, 0.001 0, 0.001 0.001, 0 0.001, 0 0))')

function parcelOf(
  properties: Record<string, unknown>,
  ...context: Parameters<typeof contextOf> extends [unknown, ...infer Rest] ? Rest : never
) {
  const record = { rowNumber: 1, properties: Object.entries(properties), geometry: square }
  const built = buildRow(record, contextOf('parcel', ...context))
  if (built.outcome === 'refused') throw new Error(built.reason)
  return built.feature
}

describe('an incident', () => {
  it('is read from its columns', () => {
    const row = {
      Title: ' Oak down ',
      Description: '<b>On the road</b>',
      Type: 'Fallen Tree',
      Severity: 'HIGH',
      Date: 'Jan 2, 2015 03:45:56 PM',
      'Reported by': 'Ann',
      Status: 'Closed',
      'Resolved date': '2015-01-03',
      Ward: '7',
    }
    const feature = featureOf('incident', row, { timeZone: 'America/New_York' })
    expect(feature).toEqual({
      kind: 'incident',
      mapId: 'oak-hill',
      id: feature.id,
      geometry: { type: 'Point', coordinates: [-111, 34] },
      title: 'Oak down',
      description: '<b>On the road</b>',
      type: 'fallen_tree',
      severity: 'high',
      date: '2015-01-02T20:45:56.000Z',
      parcelId: null,
      reportedBy: 'Ann',
      resolved: true,
      resolvedDate: '2015-01-03T05:00:00.000Z',
      workState: null,
      assignee: null,
      due: null,
      own: null,
      metadata: [{ name: 'Ward', value: '7' }],
    })
    expect(newFeature.parse(feature)).toEqual(feature)
  })

  it('is named by its type and id if it has no title', () => {
    expect(featureOf('incident', { id: 12 }, { type: 'fire' })).toMatchObject({
      title: 'Fire 12',
      type: 'fire',
    })
    expect(featureOf('incident', {})).toMatchObject({ title: 'Incident', resolved: false })
  })

  it('is resolved if it has a resolved date, unless its status differs', () => {
    const resolvedDate = '2015-01-03'
    expect(featureOf('incident', { resolvedDate })).toMatchObject({ resolved: true })
    expect(featureOf('incident', { resolvedDate, resolved: 'no' })).toMatchObject({ resolved: false })
  })
})

describe('an asset', () => {
  it('is read from its columns', () => {
    const row = {
      name: 'Well 1',
      type: 'Water',
      status: 'Maintenance',
      installDate: '12/29/1980',
      lastMaintenance: -3_029_443_200_000,
    }
    expect(featureOf('asset', row)).toMatchObject({
      name: 'Well 1',
      type: 'water',
      status: 'maintenance',
      installDate: '1980-12-29',
      lastMaintenance: '1874-01-01',
      maintenanceHistory: [],
    })
  })

  it('is operational by default', () => {
    expect(featureOf('asset', {})).toMatchObject({ name: 'Asset', status: 'operational' })
  })
})

describe('a parcel', () => {
  it('is read from its columns', () => {
    const columns = {
      name: 'Location',
      area: 'LandArea',
      purchaseDate: 'SaleDate',
      'zoning.type': 'UseDescription',
      'zoning.restrictions': 'Limits',
      'taxInfo.annualAmount': 'Tax',
      'taxInfo.lastPaid': 'Paid',
      buildings: 'Bldgs',
    }
    const row = {
      Location: '1 Oak Ln',
      LandArea: '43,560.00',
      SaleDate: '6/15/2012',
      UseDescription: 'R1',
      Limits: 'no wells',
      Tax: '$3,224.00',
      Paid: '2015-01-02',
      Bldgs: '2',
      owner: 'Ann',
    }
    expect(parcelOf(row, { areaUnit: 'sqft' }, columns)).toMatchObject({
      name: '1 Oak Ln',
      owner: 'Ann',
      area: 1,
      buildings: 2,
      purchaseDate: '2012-06-15',
      zoning: { type: 'R1', restrictions: 'no wells' },
      taxInfo: { annualAmount: 3224, lastPaid: '2015-01-02' },
      metadata: [],
    })
  })

  it('has no zoning and no tax information by default', () => {
    expect(parcelOf({})).toMatchObject({ name: 'Parcel', zoning: null, taxInfo: null, owner: null })
  })

  it('has the area of its shape if there is no column for it', () => {
    expect((parcelOf({}) as { area: number }).area).toBeCloseTo(3.0416, 3)
    expect(featureOf('parcel', {})).toMatchObject({ area: null })
  })

  it('uses a column named area only if its value is near the area of the shape', () => {
    expect(parcelOf({ area: '3.2' })).toMatchObject({ area: 3.2, metadata: [] })
    const inSquareMeters = parcelOf({ area: '12309' }) as { area: number }
    expect(inSquareMeters.area).toBeCloseTo(3.0416, 3)
    expect(inSquareMeters).toMatchObject({ metadata: [{ name: 'area', value: '12309' }] })
    expect(parcelOf({ area: '12309' }, {}, { area: 'area' })).toMatchObject({ area: 12_309 })
  })
})

describe('columns that fill no field', () => {
  it('are metadata: nested values as JSON, blanks as null', () => {
    expect(featureOf('asset', { a: { b: [1] }, n: null, t: true, '': 5, h: '<i>x</i>' }).metadata).toEqual([
      { name: 'a', value: '{"b":[1]}' },
      { name: 'n', value: null },
      { name: 't', value: true },
      { name: '', value: 5 },
      { name: 'h', value: '<i>x</i>' },
    ])
  })

  it('include values that a field of that name cannot store', () => {
    const feature = featureOf('incident', {
      type: 'Tree Emergencies',
      severity: 3,
      date: 'soon',
      status: 'perhaps',
    })
    expect(feature).toMatchObject({ type: null, severity: null, date: null, resolved: false })
    expect(feature.metadata.map(({ name }) => name)).toEqual(['type', 'severity', 'date', 'status'])
  })

  it('include the type of a row if one type is set for all', () => {
    expect(featureOf('incident', { type: 'flood' }, { type: 'fire' })).toMatchObject({
      type: 'fire',
      metadata: [{ name: 'type', value: 'flood' }],
    })
  })

  it('include coordinates in columns if there is a geometry', () => {
    expect(parcelOf({ lat: 5 }).metadata).toEqual([{ name: 'lat', value: 5 }])
  })
})

describe('a row is rejected', () => {
  it.each<readonly [Record<string, unknown>, columns: Record<string, string>, reason: string]>([
    [
      { kind: 'foo' },
      { type: 'kind' },
      'type (column kind) "foo" is not one of fire, flood, fallen_tree, other',
    ],
    [{ severity: 'bad' }, { severity: 'severity' }, 'severity "bad" is not one of high, medium, low'],
    [
      { d: '30/30/2015' },
      { date: 'd' },
      'date (column d) "30/30/2015" is not a date such as 2015-01-02T15:45:56Z or Jan 2, 2015 3:45 PM',
    ],
    [{ d: '01/02/2015' }, { date: 'd' }, 'date (column d) "01/02/2015" could be day first or month first'],
    [
      { s: 'perhaps' },
      { resolved: 's' },
      'resolved (column s) "perhaps" is not one of yes, no, true, false, open, closed, resolved, unresolved',
    ],
    [
      { p: 'a b' },
      { parcelId: 'p' },
      'parcelId (column p) "a b" is not an id of letters, digits, dot, underscore and hyphen',
    ],
    [{ t: ['a'] }, { title: 't' }, 'title (column t) ["a"] is not text'],
    ...[{ x: ' ' }, { x: null }, { x: 'NULL' }, { x: ' <Null> ' }, { x: 'N/A' }, {}].map(
      (row) => [row, { id: 'x' }, 'its id is missing'] as const,
    ),
  ])('if the field of a selected column cannot store its value: %j', (row, columns, reason) => {
    expect(reasonOf('incident', row, {}, columns)).toBe(reason)
  })

  it.each([
    [{ lat: 95 }, 'latitude 95 is not between -90 and 90'],
    [{ lng: '-1191414610' }, 'longitude -1191414610 is not between -180 and 180'],
    [{ lat: 'north' }, 'latitude "north" is not a number'],
    [{ lat: '' }, 'it has no latitude'],
    [{ lat: null, lng: ' ' }, 'it has no latitude and no longitude'],
    [{ lat: 0, lng: '0.0' }, 'its location is longitude 0, latitude 0'],
  ])('if its location is invalid: %j', (row, reason) => {
    expect(reasonOf('asset', row)).toBe(reason)
  })

  it.each([
    [{ title: 'x'.repeat(301) }, `title "${'x'.repeat(77)}…" has 301 characters, but the limit is 300`],
    [
      { note: 'y'.repeat(10_001) },
      `column "note" "${'y'.repeat(77)}…" has 10001 characters, but the limit is 10000`,
    ],
    [
      { ['c'.repeat(201)]: 1 },
      `the column name "${'c'.repeat(77)}…" has 201 characters, but the limit is 200`,
    ],
    [{ title: 'a\ud800b' }, 'title "a\ufffdb" has invalid characters'],
    [{ note: 'a\u0000b' }, 'column "note" "a b" has invalid characters'],
    [{ note: Number.POSITIVE_INFINITY }, '"note" is a number too large to store'],
  ])('if it exceeds a limit: %#', (row, reason) => {
    expect(reasonOf('incident', row)).toBe(reason)
  })

  it('if it is nested too deeply', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(reasonOf('asset', { note: deep })).toBe('it is nested too deeply to store')
    expect(reasonOf('asset', { id: 1, note: deep })).toBe('"note" is nested too deeply to store')
  })

  it('with its id, so that users find it', () => {
    expect(rowOf('asset', { id: 'H-7', lat: 95 })).toMatchObject({ outcome: 'refused', sourceId: 'H-7' })
  })
})

describe('the id of a feature', () => {
  it('is derived from kind, source and id in the source', () => {
    const id = featureOf('asset', { id: 7 }).id
    expect(id).toMatch(/^asset-[0-9a-f]{16}$/)
    expect(featureOf('asset', { id: '7', name: 'other' }).id).toBe(id)
    expect(featureOf('asset', { id: 8 }).id).not.toBe(id)
    expect(featureOf('asset', { id: 7 }, { source: 'other' }).id).not.toBe(id)
  })

  it('is derived from the content if there is no id', () => {
    expect(featureOf('asset', { a: 1 }).id).toBe(featureOf('asset', { a: 1 }).id)
    expect(featureOf('asset', { a: 1 }).id).not.toBe(featureOf('asset', { a: 2 }).id)
  })

  const record = { rowNumber: 1, properties: Object.entries({ id: 2, case: 3 }), geometry: point }
  it.each<[string, id: unknown, columns: Record<string, string>, sourceId: string]>([
    ['the selected column', 1, { id: 'case' }, '3'],
    ['the GeoJSON feature', 1, {}, '1'],
    ...[undefined, null, '', ' '].map((id): [string, unknown, Record<string, string>, string] => [
      'the column named id',
      id,
      {},
      '2',
    ]),
  ])('is that of %s: %j', (_, id, columns, sourceId) => {
    expect(buildRow({ ...record, id }, contextOf('asset', {}, columns))).toMatchObject({ sourceId })
  })

  it('of GeoJSON is stored as metadata', () => {
    const bare = { ...record, properties: [] }
    expect(buildRow({ ...bare, id: 10_002 }, contextOf('asset'))).toMatchObject({
      feature: { metadata: [{ name: 'id', value: 10_002 }] },
    })
    expect(buildRow({ ...bare, id: {} }, contextOf('asset'))).toMatchObject({
      reason: 'its id an object is not text or a number',
    })
  })
})

it('describes all repairs of a geometry', () => {
  const geometry = readWkt('POLYGON ((179.5 51, -179.5 51, -179.5 52, 179.5 52))')
  expect(buildRow({ rowNumber: 1, properties: [], geometry }, contextOf('parcel'))).toMatchObject({
    repaired: 'a ring was closed at 179.5, 51; it was split at the date line',
  })
})
