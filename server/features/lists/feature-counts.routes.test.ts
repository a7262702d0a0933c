import { beforeAll, describe, expect, it } from 'vitest'
import { featureShapes } from '#domain/definition/kinds.ts'
import type { FeatureCounts } from '#domain/features/feature.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  line,
  point,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { expectBadParameter, expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

const area = square(-111, 34, 0.01)
const path = line([-111, 34], [-110.9, 34.1])

onEachEngine('the counts of a map', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeClient(database, 'empty')
    await storeClient(database, 'closed', { archived: true })
    await storeFeatures(database, [
      anIncident({ date: '2026-05-20T00:00:00.000Z' }),
      anIncident({ type: 'flood', date: '2026-05-19T23:59:59.999Z', geometry: area, resolved: true }),
      anIncident({ type: null, date: '1969-12-31T23:59:59.999Z' }),
      anIncident({ date: null, geometry: point(-100, 30) }),
      anAsset(),
      anAsset({ type: 'electrical', geometry: path, status: 'offline' }),
      anAsset({ type: null, geometry: path }),
      aGeneralFeature({ featureType: 'road', geometry: area }),
      aParcel(),
      aParcel(),
    ])
    app = await startTestApp(database)
  })

  const read = (query: string) => app.getJson<FeatureCounts>(`/api/maps/oak-hills/counts${query}`)

  it.each<[query: string, incidents: number, assets: number, parcels: number]>([
    ['', 4, 4, 2],
    ['?kind=&shape=', 4, 4, 2],
    ['?kind=incident', 4, 0, 0],
    ['?kind=asset,parcel', 0, 4, 2],
    ['?shape=polygon', 1, 1, 2],
    ['?shape=point,line', 3, 3, 0],
    ['?type=fire', 2, 4, 2],
    ['?type=road,electrical', 4, 2, 2],
    ['?type=flood,water&kind=incident,asset', 1, 1, 0],
    ['?since=2026-05-20', 2, 4, 2],
    ['?since=2026-05-19', 3, 4, 2],
    ['?since=2026-05-19T23:59:59.999Z', 3, 4, 2],
    ['?since=1970-01-01', 3, 4, 2],
    ['?since=1969-12-31', 4, 4, 2],
    ['?since=9999-12-31', 1, 4, 2],
    ['?since=2026-05-19&type=flood&shape=polygon', 1, 1, 2],
    ['?status=', 4, 4, 2],
    ['?status=unresolved', 3, 0, 0],
    ['?status=unresolved,offline', 3, 1, 0],
    ['?status=unresolved,operational&since=2026-05-20&type=fire,electrical', 2, 0, 0],
    ['?status=resolved&shape=polygon', 1, 0, 0],
  ])('%s', async (query, incident, asset, parcel) => {
    const total = incident + asset + parcel
    const counts = await read(query)
    expect(counts).toMatchObject({ total, byKind: { incident, asset, parcel } })
    const list = await app.getJson<{ total: number; items: { shape: string }[] }>(
      `/api/maps/oak-hills/features${query}`,
    )
    expect(list).toMatchObject({ total, items: { length: total } })
    for (const shape of featureShapes)
      expect(counts.byShape[shape]).toBe(list.items.filter((item) => item.shape === shape).length)
  })

  it('are zero on an empty map', async () => {
    expect(await app.getJson('/api/maps/empty/counts')).toEqual({
      total: 0,
      byKind: { incident: 0, asset: 0, parcel: 0 },
      byShape: { point: 0, line: 0, polygon: 0 },
    })
  })

  it('are not found for an unknown map', async () => {
    for (const mapId of ['closed', 'nobody']) expectProblem(await app.get(`/api/maps/${mapId}/counts`), 404)
  })

  describe('refuse', () => {
    it.each([
      ['kind=tree', 'kind.0'],
      ['shape=circle', 'shape.0'],
      ['type=tree', 'type.0'],
      ['status=well', 'status.0'],
      ['since=2026-02-30', 'since'],
      ['text=oak', 'text'],
    ])('%s', async (query, name) => {
      expectBadParameter(await app.get(`/api/maps/oak-hills/counts?${query}`), 'query', name)
    })
  })

  it('come from the stored counts, without reading features', async () => {
    // A full count would notice.
    await database.write((transaction) =>
      transaction
        .updateTable('feature_counts')
        .set({ count: 1_000_000 })
        .where('kind', '=', 'parcel')
        .execute(),
    )
    expect((await read('')).byKind.parcel).toBe(1_000_000)
    const first = '/api/maps/oak-hills/features?kind=parcel&text=%20&limit=1'
    const list = await app.getJson<{ total: number }>(first)
    expect(list.total).toBe(1_000_000)
    expect(await app.getJson('/api/maps/oak-hills')).toMatchObject({ counts: { parcel: 1_000_000 } })
    expect(await app.getJson('/api/clients/oak-hills')).toMatchObject({ properties: 1_000_000 })
    const searched = await app.getJson<{ total: number }>('/api/maps/oak-hills/features?kind=parcel&text=lot')
    expect(searched.total).toBe(2)
  })
})
