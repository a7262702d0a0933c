import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { aParcel, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

const ring = (west: number, east: number): Position[] => [
  [west, -17],
  [east, -17],
  [east, -16],
  [west, -16],
  [west, -17],
]
const square = (west: number, east: number): Geometry => ({
  type: 'Polygon',
  coordinates: [ring(west, east)],
})

onEachEngine('land across the date line', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      aParcel({ id: 'west', geometry: square(178.5, 179.5) }),
      aParcel({ id: 'east', geometry: square(-179.5, -178.5) }),
      aParcel({
        id: 'both',
        geometry: { type: 'MultiPolygon', coordinates: [[ring(179.8, 180)], [ring(-180, -179.8)]] },
      }),
    ])
    app = await startTestApp(database)
  })
  afterAll(() => app.close())

  it.each([
    ['179,-17,-179,-16', ['both', 'east', 'west']],
    ['179.6,-17,-179.6,-16', ['both']],
    ['179,-17,180,-16', ['both', 'west']],
    ['170,10,-170,20', []],
  ])('is found by the box %s in lists, exports, changes and OGC', async (bbox, ids) => {
    const staff = await signIn(database)
    const items = await app.getJson<{ items: { id: string }[]; total: number }>(
      `/api/maps/oak-hills/features?kind=parcel&bbox=${bbox}`,
    )
    const found = (features: { id?: unknown; properties?: { id?: unknown } }[]) =>
      features.map(({ id, properties }) => String(id ?? properties?.id)).sort()
    expect(found(items.items)).toEqual(expect.arrayContaining(ids))
    const exported = await app.get(`/api/maps/oak-hills/export?format=geojson&bbox=${bbox}`, staff)
    expect(exported.statusCode, exported.body).toBe(200)
    expect(found(exported.json().features)).toEqual(found(items.items))
    const preview = await app.send({
      method: 'POST',
      url: '/api/maps/oak-hills/bulk-changes/preview',
      headers: staff,
      payload: { kind: 'remove', filter: { bbox } },
    })
    expect(preview.statusCode, preview.body).toBe(200)
    const ogc = await app.getJson<{ features: { id: string }[] }>(
      `/ogc/oak-hills/collections/parcels/items?bbox=${bbox}`,
    )
    expect(found(ogc.features)).toEqual(ids)
  })

  it('has an extent whose west is greater than its east, in OGC API too', async () => {
    const { extent } = await app.getJson<{ extent: object }>('/api/maps/oak-hills')
    const across = { west: 178.5, south: -17, east: -178.5, north: -16 }
    expect(extent).toEqual(across)
    const {
      extent: collectionExtent,
      storageCrs: _,
      crs,
    } = await app.getJson<{
      extent: { spatial: { bbox: number[][] } }
      storageCrs: string
      crs: string[]
    }>('/ogc/oak-hills/collections/parcels')
    expect(collectionExtent.spatial.bbox).toEqual([[178.5, -17, -178.5, -16]])
    expect(crs.some((uri) => /\/327(60|01)$/.test(uri))).toBe(true)
  })

  it('has the extent of its features after the next change', async () => {
    await app.getJson('/api/maps/oak-hills')
    const staff = await signIn(database)
    const geometry = square(177, 177.5)
    const answer = await app.send({
      method: 'POST',
      url: '/api/maps/oak-hills/features',
      headers: staff,
      payload: { kind: 'parcel', id: 'more', name: 'More', geometry },
    })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(await app.getJson('/api/maps/oak-hills')).toMatchObject({ extent: { west: 177, east: -178.5 } })
  })

  it('may have the smallest number as a longitude', async () => {
    await storeClient(database, 'elm-park')
    const at = (lng: number): Geometry => ({ type: 'Point', coordinates: [lng, -17] })
    await storeFeatures(
      database,
      [at(179), at(-179), at(Number.MIN_VALUE)].map((geometry, index) =>
        aParcel({ id: `p${index}`, mapId: 'elm-park', geometry }),
      ),
    )
    expect(await app.getJson('/api/maps/elm-park')).toMatchObject({ extent: { south: -17, north: -17 } })
  })
})
