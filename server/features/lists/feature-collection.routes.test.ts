import { beforeAll, expect, it } from 'vitest'
import type { FeatureCollection } from '#domain/features/feature-collection.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { aQueueClient } from '#test/databases/endless-query.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  point,
  square,
  storeClient,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { readFeatureCollection } from './feature-collection.queries.ts'

onEachEngine('a GeoJSON collection of features', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      anIncident({ id: 'smoke', title: 'Smoke at the mill', date: '2026-05-20T08:30:00.000Z' }),
      anAsset({ id: 'tank', name: 'Mill tank', status: 'offline', geometry: point(-111.08, 34.06) }),
      aParcel({ id: 'lot', name: 'Mill lot', owner: 'Ann Zabriskie', geometry: square(-111.1, 34, 0.01) }),
      anAsset({ id: 'gate', name: 'North gate' }),
    ])
    app = await startTestApp(database)
  })

  async function ask(query: string, headers?: Record<string, string>): Promise<FeatureCollection> {
    const answer = await app.get(`/api/maps/oak-hills/features.geojson?${query}`, headers)
    expect(answer.statusCode).toBe(200)
    return answer.json()
  }
  const idsOf = ({ features }: FeatureCollection) => features.map(({ id }) => id).sort()

  it('has geometries and the properties that the map draws', async () => {
    const answer = await app.get('/api/maps/oak-hills/features.geojson?text=mill&status=offline')
    expect(answer.headers['content-type']).toMatch(/^application\/geo\+json/)
    expect(answer.json()).toEqual({
      type: 'FeatureCollection',
      numberMatched: 1,
      numberReturned: 1,
      features: [
        {
          type: 'Feature',
          id: 'tank',
          geometry: { type: 'Point', coordinates: [-111.08, 34.06] },
          properties: { kind: 'asset', type: 'water', status: 'offline', severity: null, date: null },
        },
      ],
    })
  })

  it.each([
    ['text=mill', ['lot', 'smoke', 'tank']],
    ['text=mill&kind=incident,parcel', ['lot', 'smoke']],
    ['text=mill&since=2026-05-21', ['lot', 'tank']],
    ['shape=polygon', ['lot']],
    ['bbox=-111.085,34.05,-111.07,34.07', ['tank']],
    ['text=nothing', []],
    ['text=-', []],
    ['', ['gate', 'lot', 'smoke', 'tank']],
  ])('has the features selected by %s', async (query, ids) => {
    const found = await ask(query)
    expect(idsOf(found)).toEqual(ids)
    expect([found.numberMatched, found.numberReturned]).toEqual([ids.length, ids.length])
  })

  it('is searched by owner for users who may see it, without shared caching', async () => {
    const staff = await signIn(database, ['editor:oak-hills'])
    expect(idsOf(await ask('text=zabriskie', staff))).toEqual(['lot'])
    expect(idsOf(await ask('text=zabriskie'))).toEqual([])
    const { headers } = await app.get('/api/maps/oak-hills/features.geojson?text=mill')
    expect(headers['cache-control']).toBe('private, no-cache')
  })

  it.each(['status=broken', 'bbox=1', 'text=%00', 'limit=5', `text=${'x'.repeat(201)}`])(
    'is refused for %s',
    async (query) => {
      expectProblem(await app.get(`/api/maps/oak-hills/features.geojson?${query}`), 400)
    },
  )

  it('is not found for an unknown map', async () => {
    expectProblem(await app.get('/api/maps/nowhere/features.geojson'), 404)
  })

  it('is limited to those that the map shows at the lowest zoom', async () => {
    await storeMap(database, 'crowded')
    const spread = ['east', 'west'].map((id, index) =>
      anAsset({ id, mapId: 'crowded', name: 'Sign', geometry: point(-100 - 20 * index, 34) }),
    )
    const heap = Array.from({ length: 30 }, (_, index) =>
      anAsset({ id: `a${index}`, mapId: 'crowded', name: 'Sign', geometry: point(-111 - index / 1e6, 34) }),
    )
    await storeFeatures(database, [...heap, ...spread])
    const read = async (limits: { features: number; bytes: number }): Promise<FeatureCollection> =>
      JSON.parse(await readFeatureCollection(database, aQueueClient('crowded'), { text: 'sign' }, limits))
    const few = await read({ features: 3, bytes: 1_000_000 })
    expect([few.numberMatched, few.numberReturned]).toEqual([32, 3])
    expect(idsOf(few)).toEqual(expect.arrayContaining(['east', 'west']))
    const short = await read({ features: 30, bytes: 1_000 })
    expect(short.numberMatched).toBe(32)
    expect(short.numberReturned).toBe(short.features.length)
    expect(JSON.stringify(short.features).length).toBeLessThan(1_100)
    expect((await read({ features: 30, bytes: 10 })).numberReturned).toBe(1)
  })
})
