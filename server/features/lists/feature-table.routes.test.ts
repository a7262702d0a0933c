import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FeatureSummary, NewFeature } from '#domain/features/feature.schema.ts'
import { type FeatureSort, featureSortColumns, featureSorts } from '#domain/features/feature-sort.ts'
import { foldText } from '#domain/values/text.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { times } from '#test/random/how-much.ts'
import { expectBadParameter, expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

type Page = { items: FeatureSummary[]; total: number; next: string | null }

const features: NewFeature[] = [
  aParcel({ id: 'lot-10', name: 'Lot 10' }),
  aParcel({ id: 'lot-2', name: 'Lot 2' }),
  aParcel({ id: 'lot-2b', name: 'lot 2' }),
  ...['lot-10', 'lot-2', 'lot-2b', 'gone', null].flatMap((parcelId, index) => [
    anAsset({ id: `asset-${index}`, name: `Pump ${12 - index}`, parcelId, status: 'operational' }),
    anAsset({ id: `other-${index}`, name: 'Élan', type: 'road', parcelId, status: 'offline' }),
    anIncident({ id: `incident-${index}`, title: `Pump ${index}`, parcelId, severity: 'low' }),
  ]),
  anAsset({ id: 'untyped', type: null, status: 'maintenance' }),
  anIncident({ id: 'undated', title: 'élan', date: null, severity: null }),
  anIncident({ id: 'high', severity: 'high', date: '2026-05-21T00:00:00.000Z' }),
  anIncident({ id: 'old', severity: 'medium', type: 'flood', date: '1969-07-20T20:17:00.000Z' }),
  anIncident({ id: 'resolved', severity: 'high', resolved: true }),
  aGeneralFeature({ id: 'general', featureType: 'incident', status: 'maintenance' }),
]

onEachEngine('the table of features', (createDatabase) => {
  let app: TestApp
  let all: FeatureSummary[]
  beforeAll(async () => {
    const database = await createDatabase()
    await storeMap(database, 'oak-hills')
    await storeMap(database, 'elsewhere')
    await storeFeatures(database, features)
    await storeFeatures(database, [
      aParcel({ id: 'gone', mapId: 'elsewhere' }),
      anAsset({ id: 'stranger', mapId: 'elsewhere' }),
    ])
    app = await startTestApp(database)
    all = (await list('limit=500')).items
  })

  const address = '/api/maps/oak-hills/features'
  const list = (query: string) => app.getJson<Page>(`${address}?${query}`)
  const idsOf = (page: Page) => page.items.map((item) => item.id)
  const positionOf = async (id: string, query: string) =>
    (await app.getJson<{ position: number | null }>(`${address}/${id}/position?${query}`)).position

  it.each([
    [
      'status',
      ['high', 'old', 'incident-0', 'incident-1', 'incident-2', 'incident-3', 'incident-4', 'undated'],
    ],
    ['date', ['old', 'incident-0']],
    ['-date', ['high', 'incident-0']],
    [
      'name',
      [
        'other-0',
        'other-1',
        'other-2',
        'other-3',
        'other-4',
        'undated',
        'general',
        'lot-2',
        'lot-2b',
        'lot-10',
      ],
    ],
    ['-name', ['untyped', 'high']],
    ['kind', ['other-0', 'other-1', 'other-2', 'other-3', 'other-4', 'asset-4', 'asset-3', 'asset-2']],
    ['-kind', ['lot-2', 'lot-2b', 'lot-10', 'high']],
    ['severity', ['high', 'resolved', 'old', 'incident-0']],
    [
      'parcel',
      [
        'other-1',
        'other-2',
        'asset-2',
        'asset-1',
        'incident-1',
        'incident-2',
        'other-0',
        'asset-0',
        'incident-0',
      ],
    ],
    ['-parcel', ['other-0', 'asset-0', 'incident-0', 'other-1', 'other-2', 'asset-2']],
    ['type', ['high', 'incident-0']],
  ])('sorted by %s begins with the expected rows', async (sort, ids) => {
    expect(idsOf(await list(`sort=${sort}`)).slice(0, ids.length)).toEqual(ids)
  })

  it('is in the order of its values, then in list order, with missing values last', async () => {
    expect(featureSorts).toHaveLength(2 * featureSortColumns.length)
    for (const sort of featureSorts)
      expect(idsOf(await list(`sort=${sort}&limit=500`)), sort).toEqual(sorted(all, sort))
  })

  it('returns any part of any order, and the position of each feature', async () => {
    const query = fc.record(
      {
        sort: fc.constantFrom<FeatureSort>(...featureSorts),
        kind: fc.constantFrom('asset', 'incident,parcel', 'parcel'),
        status: fc.constantFrom('offline', 'unresolved,operational'),
        text: fc.constantFrom('pump', 'elan', 'lot'),
        type: fc.constantFrom('fire,road', 'water'),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.nat(all.length + 1),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(all.length - 1),
        async (query, offset, limit, index) => {
          const search = new URLSearchParams(query).toString()
          const whole = await list(`${search}&limit=500`)
          const part = await list(`${search}&offset=${offset}&limit=${limit}`)
          expect(part.items).toEqual(whole.items.slice(offset, offset + limit))
          expect(part.total).toBe(whole.items.length)
          expect(part.next === null).toBe(offset + limit >= whole.items.length)
          if (part.next)
            expect((await list(`${search}&after=${part.next}&limit=2`)).items).toEqual(
              whole.items.slice(offset + limit, offset + limit + 2),
            )
          const { id } = all[index] as FeatureSummary
          const place = idsOf(whole).indexOf(id)
          expect(await positionOf(id, search)).toBe(place === -1 ? null : place)
        },
      ),
      { numRuns: times(40), endOnFailure: true },
    )
  })

  it('counts features with a value before those without', async () => {
    const places = ['untyped', 'lot-10', 'lot-2', 'lot-2b'].map((id) =>
      positionOf(id, 'sort=-date&kind=asset,parcel'),
    )
    expect(await Promise.all(places)).toEqual([10, 13, 11, 12])
    expect(await positionOf('lot-10', 'sort=status')).toBe(all.length - 1)
    expect(await positionOf('lot-2b', 'sort=-status')).toBe(all.length - 2)
    expect(await positionOf('lot-2', 'sort=status&kind=asset')).toBeNull()
  })

  it('names the parcel of each feature if it is on the map', async () => {
    const parcelOf = (id: string) => all.find((item) => item.id === id)?.parcel
    expect(parcelOf('asset-0')).toEqual({ id: 'lot-10', name: 'Lot 10' })
    expect(parcelOf('incident-1')).toEqual({ id: 'lot-2', name: 'Lot 2' })
    for (const id of ['asset-3', 'asset-4', 'lot-2', 'general']) expect(parcelOf(id), id).toBeNull()
  })

  it('has the requested fields that the kind of each feature has', async () => {
    const { items } = await list('fields=installDate,zoning.type,title&limit=500')
    const valuesOf = (id: string) => items.find((item) => item.id === id)?.values
    expect(valuesOf('lot-10')).toEqual({ 'zoning.type': 'Residential' })
    expect(valuesOf('asset-0')).toEqual({ installDate: '2019-04-01' })
    expect(valuesOf('incident-0')).toEqual({ title: 'Pump 0' })
    expect(valuesOf('general')).toEqual({})
    expect(all.every((item) => !('values' in item))).toBe(true)
    const sorted = await list('fields=installDate&sort=name&kind=asset&limit=1')
    expect(sorted.items[0]?.values).toHaveProperty('installDate')
  })

  it.each(['owner', 'taxInfo.annualAmount', 'nextDue', 'maintenancePlan.task', 'reportedBy'])(
    'refuses the field %s for a caller who may not see it',
    async (field) => {
      const { detail } = expectProblem(await app.get(`${address}?fields=name,${field}`), 401)
      expect(detail).toContain(`The column ‘${field}’ is only for staff of the map.`)
    },
  )

  describe('refuses', () => {
    it.each([
      ['sort=colour', 'sort'],
      ['sort=', 'sort'],
      ['sort=name&sort=kind', 'sort'],
      ['sort=--name', 'sort'],
      ['fields=colour', 'fields'],
      ['fields=maintenanceHistory', 'fields'],
      ['fields=zoning', 'fields'],
      ['fields=__proto__', 'fields'],
      [`fields=${Array.from({ length: 21 }, (_, index) => `f${index}`)}`, 'fields'],
      ['offset=-1', 'offset'],
      ['offset=1.5', 'offset'],
      ['offset=1e30', 'offset'],
      [`offset=0&after=${Buffer.from('["a","b","c"]').toString('base64url')}`, 'offset'],
      [`sort=name&after=${Buffer.from('["a","b","c"]').toString('base64url')}`, 'after'],
      [`sort=name&after=${Buffer.from('["-1"]').toString('base64url')}`, 'after'],
      [`sort=name&after=${Buffer.from('["99999999999"]').toString('base64url')}`, 'after'],
      [`after=${Buffer.from('["1"]').toString('base64url')}`, 'after'],
    ])('%s', async (query, name) => {
      expectBadParameter(await app.get(`${address}?${query}`), 'query', name)
    })

    it.each([
      ['limit=5', 'limit'],
      ['sort=colour', 'sort'],
    ])('for a position: %s', async (query, name) => {
      expectBadParameter(await app.get(`${address}/high/position?${query}`), 'query', name)
    })
  })

  it('has no position for a feature that does not exist', async () => {
    for (const path of ['oak-hills/features/stranger', 'oak-hills/features/nobody', 'nowhere/features/high'])
      expectProblem(await app.get(`/api/maps/${path}/position`), 404)
  })
})

const severities = ['high', 'medium', 'low', null]
const otherStatuses = ['offline', 'maintenance', 'operational', 'resolved']

const readers: Record<string, (item: FeatureSummary) => string | number | null> = {
  kind: ({ kind }) => kind,
  name: ({ name }) => countable(name),
  type: ({ type }) => type,
  date: ({ date }) => (date === null ? null : Date.parse(date)),
  parcel: ({ parcel }) => parcel && countable(parcel.name),
  severity: ({ severity }) => (severity === null ? null : severities.indexOf(severity)),
  status: ({ status, severity }) =>
    status === null
      ? null
      : status === 'unresolved'
        ? severities.indexOf(severity)
        : 4 + otherStatuses.indexOf(status),
}

const countable = (name: string) => foldText(name).replace(/\d+/g, (digits) => digits.padStart(10, '0'))

function sorted(items: readonly FeatureSummary[], sort: FeatureSort): string[] {
  const read = readers[sort.replace('-', '')] ?? (() => null)
  const direction = sort.startsWith('-') ? -1 : 1
  const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0)
  return items
    .toSorted((a, b) => {
      const [one, other] = [read(a), read(b)]
      if (one === null || other === null) return Number(one === null) - Number(other === null)
      return direction * compare(one, other)
    })
    .map((item) => item.id)
}
