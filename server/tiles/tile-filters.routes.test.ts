import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { decodeTile } from '#test/decode-tile.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  home,
  point,
  storeFeatures,
  storeMap,
} from '#test/feature-builders.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'

const all = ['fire', 'flood', 'untyped', 'undated', 'tank', 'line', 'thing', 'road', 'lot']

onEachEngine('the filter of tiles', (createDatabase) => {
  let app: TestApp
  beforeAll(async () => {
    const database = await createDatabase()
    await storeMap(database, 'oak-hills')
    // In a row on one tile, each in a cell of its own.
    const place = (index: number) => ({ geometry: point(home.lng + index / 2_000, home.lat) })
    await storeFeatures(database, [
      anIncident({ ...place(0), id: 'fire', date: '2026-05-20T00:00:00.000Z' }),
      anIncident({ ...place(1), id: 'flood', type: 'flood', date: '2026-05-19T23:59:59.999Z' }),
      anIncident({ ...place(2), id: 'untyped', type: null }),
      anIncident({ ...place(3), id: 'undated', date: null }),
      anAsset({ ...place(4), id: 'tank' }),
      anAsset({ ...place(5), id: 'line', type: 'electrical' }),
      anAsset({ ...place(6), id: 'thing', type: null }),
      aGeneralFeature({ ...place(7), id: 'road', featureType: 'road' }),
      aParcel({ ...place(8), id: 'lot' }),
    ])
    app = await startTestApp(database)
  })
  afterAll(() => app.close())

  const tileOf = async (query: string) => {
    // The tile of the place where all features are.
    const answer = await app.get(`/api/maps/oak-hills/tiles/15/6272/13084.mvt${query}`)
    expect(answer.statusCode).toBe(200)
    const features = decodeTile(answer.rawPayload)
    const idsOf = (isRing: boolean) =>
      new Set(
        features.filter(({ layer }) => (layer === 'incident_areas') === isRing).map(({ tags }) => tags.id),
      )
    return { shown: idsOf(false), rings: idsOf(true) }
  }

  it.each<[query: string, ids: string[]]>([
    ['', all],
    ['?kind=&type=', all],
    ['?kind=incident', ['fire', 'flood', 'untyped', 'undated']],
    ['?kind=asset,parcel', ['tank', 'line', 'thing', 'road', 'lot']],
    ['?type=fire', ['fire', 'undated', 'tank', 'line', 'thing', 'road', 'lot']],
    ['?type=electrical,road', ['fire', 'flood', 'untyped', 'undated', 'line', 'road', 'lot']],
    ['?type=flood,water', ['flood', 'tank', 'lot']],
    ['?since=2026-05-20', ['fire', 'untyped', 'undated', 'tank', 'line', 'thing', 'road', 'lot']],
    ['?since=2026-05-19', ['fire', 'flood', 'untyped', 'undated', 'tank', 'line', 'thing', 'road', 'lot']],
    ['?since=9999-12-31&kind=incident', ['undated']],
    ['?kind=incident,asset&type=fire,water&since=2026-05-20', ['fire', 'undated', 'tank']],
  ])('%s', async (query, ids) => {
    const { shown, rings } = await tileOf(query)
    expect(shown).toEqual(new Set(ids))
    const incidents = ids.filter((id) => ['fire', 'flood', 'untyped', 'undated'].includes(id))
    expect(rings).toEqual(new Set(incidents))
  })

  it('means the same in any order', async () => {
    const [one, other] = await Promise.all([
      app.get('/api/maps/oak-hills/tiles/15/6272/13084.mvt?type=fire,road&kind=asset,incident'),
      app.get('/api/maps/oak-hills/tiles/15/6272/13084.mvt?kind=incident,asset&type=road,fire'),
    ])
    expect(one.headers.etag).toBe(other.headers.etag)
  })
})
