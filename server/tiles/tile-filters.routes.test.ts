import { afterAll, beforeAll, expect, it } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  home,
  point,
  storeChange,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { decodeTile } from '#test/server/decode-tile.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

const all = ['fire', 'flood', 'untyped', 'undated', 'tank', 'line', 'thing', 'road', 'lot']

onEachEngine('the filter of tiles', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  beforeAll(async () => {
    database = await createDatabase()
    await storeMap(database, 'oak-hills')
    const place = (index: number) => ({ geometry: point(home.lng + index / 2_000, home.lat) })
    await storeFeatures(database, [
      anIncident({ ...place(0), id: 'fire', date: '2026-05-20T00:00:00.000Z' }),
      anIncident({
        ...place(1),
        id: 'flood',
        type: 'flood',
        date: '2026-05-19T23:59:59.999Z',
        resolved: true,
      }),
      anIncident({ ...place(2), id: 'untyped', type: null }),
      anIncident({ ...place(3), id: 'undated', date: null, severity: null }),
      anAsset({ ...place(4), id: 'tank' }),
      anAsset({ ...place(5), id: 'line', type: 'electrical', status: 'offline' }),
      anAsset({ ...place(6), id: 'thing', type: null }),
      aGeneralFeature({ ...place(7), id: 'road', featureType: 'road' }),
      aParcel({ ...place(8), id: 'lot' }),
    ])
    await storeMap(database, 'general')
    const general = (index: number, fields: Parameters<typeof aGeneralFeature>[0]) =>
      aGeneralFeature({ ...place(index), mapId: 'general', ...fields })
    await storeFeatures(database, [
      general(0, { id: 'blaze', featureType: 'incident', type: 'fire', date: '2026-05-20T00:00:00.000Z' }),
      general(1, { id: 'spill', featureType: 'incident', type: 'flood', date: '2026-05-19T23:59:59.999Z' }),
      general(2, { id: 'unsaid', featureType: 'incident' }),
      general(3, {
        id: 'mast',
        featureType: 'asset',
        type: 'communication',
        date: '2001-01-01T00:00:00.000Z',
      }),
      general(4, { id: 'shed', featureType: 'facility' }),
      general(5, { id: 'plot', featureType: 'parcel' }),
    ])
    app = await startTestApp(database)
  })
  afterAll(() => app.close())

  const tileOf = async (query: string) => {
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
    ['?status=', all],
    ['?status=unresolved', ['fire', 'untyped', 'undated']],
    ['?status=resolved,offline', ['flood', 'line']],
    ['?status=maintenance', []],
    ['?status=unresolved,operational&type=fire,water&since=2026-05-20', ['fire', 'undated', 'tank']],
    ['?status=unresolved&kind=asset', []],
    ['?severity=high', ['fire', 'flood', 'untyped']],
    ['?severity=unknown', ['undated']],
    ['?severity=high,unknown&status=unresolved', ['fire', 'untyped', 'undated']],
  ])('%s', async (query, ids) => {
    const { shown, rings } = await tileOf(query)
    expect(shown).toEqual(new Set(ids))
    const incidents = ids.filter((id) => ['fire', 'flood', 'untyped', 'undated'].includes(id))
    expect(rings).toEqual(new Set(incidents))
  })

  it.each<[query: string, ids: string[]]>([
    ['', ['blaze', 'spill', 'unsaid', 'mast', 'shed', 'plot']],
    ['?type=fire', ['blaze', 'mast', 'shed', 'plot']],
    ['?type=communication', ['blaze', 'spill', 'unsaid', 'mast', 'plot']],
    ['?since=2026-05-20', ['blaze', 'unsaid', 'mast', 'shed', 'plot']],
    ['?since=2026-05-20&type=flood', ['mast', 'shed', 'plot']],
  ])('matches general features by type and date, like list and counts: %s', async (query, ids) => {
    const [tile, list, counts] = [
      await app.get(`/api/maps/general/tiles/15/6272/13084.mvt${query}`),
      await app.getJson<{ total: number; items: { id: string }[] }>(`/api/maps/general/features${query}`),
      await app.getJson(`/api/maps/general/counts${query}`),
    ]
    const onTile = decodeTile(tile.rawPayload).filter(({ layer }) => layer !== 'incident_areas')
    expect(new Set(onTile.map(({ tags }) => tags.id))).toEqual(new Set(ids))
    expect(new Set(list.items.map(({ id }) => id))).toEqual(new Set(ids))
    expect(list.total).toBe(ids.length)
    expect(counts).toMatchObject({ total: ids.length })
  })

  it.each<[what: string, same: string[]]>([
    ['in any order', ['type=fire,road&kind=asset,incident', 'kind=incident,asset&type=road,fire']],
    ['of one kind, in any order', ['type=flood,fire,road,water', 'type=water,road,fire,flood']],
    ['of status, in any order', ['status=resolved,offline', 'status=offline,resolved,offline&kind=']],
    ['repeated', ['type=fire', 'type=fire,fire', 'type=fire,,fire&kind=']],
    ['for all kinds', ['type=flood', 'type=flood&kind=parcel,asset,incident']],
    [
      'of kinds that are not requested',
      ['kind=parcel', 'kind=parcel&type=fire,water', 'kind=parcel&type=fire'],
    ],
    ['since a day, without the kind incident', ['kind=asset', 'kind=asset&since=2026-05-20']],
    [
      'since before all incidents',
      ['kind=incident', 'kind=incident&since=1876-01-01', 'kind=incident&since=2026-05-19'],
    ],
    ['since after all incidents', ['since=2026-05-21', 'since=2999-01-01', 'since=9999-12-31']],
  ])('is normalized and made once, %s', (_, same) => expectOneTile('oak-hills', same))

  it('is normalized and made once for any day without incidents', async () => {
    await storeMap(database, 'quiet')
    await storeFeatures(database, [anAsset({ mapId: 'quiet' })])
    await expectOneTile('quiet', ['since=1970-01-01', '', 'since=2026-05-20&kind=', 'since=9999-12-31'])
  })

  async function expectOneTile(mapId: string, same: string[]) {
    const ask = (query: string) => app.get(`/api/maps/${mapId}/tiles/15/6271/13084.mvt?${query}`)
    const first = await ask(same[0] ?? '')
    const late = { mapId, geometry: point(home.lng - 1 / 200, home.lat), date: '2026-05-22T00:00:00.000Z' }
    const features = [anIncident(late), anAsset(late), aParcel(late)]
    await storeFeatures(database, features)
    const answers = []
    for (const query of same) answers.push((await ask(query)).headers.etag)
    await database.write((transaction) =>
      transaction
        .deleteFrom('features')
        .where(
          'id',
          'in',
          features.map(({ id }) => id),
        )
        .execute(),
    )
    expect(answers).toEqual(same.map(() => first.headers.etag))
  }

  it('includes days of later changes', async () => {
    const ask = () => app.get('/api/maps/oak-hills/tiles/15/6273/13084.mvt?since=2030-01-01')
    expect(decodeTile((await ask()).rawPayload)).toEqual([])
    const [lng, lat] = [home.lng + 1 / 80, home.lat]
    const incidents = [
      anIncident({ id: 'later', geometry: point(lng, lat), date: '2031-01-01T00:00:00.000Z' }),
      anIncident({ id: 'between', geometry: point(lng + 1 / 400, lat), date: '2027-01-01T00:00:00.000Z' }),
    ]
    await storeChange(database, 'oak-hills', incidents, { west: lng, east: lng, south: lat, north: lat })
    await app.changes.poll()
    const ids = decodeTile((await ask()).rawPayload).map(({ tags }) => tags.id)
    expect(new Set(ids)).toEqual(new Set(['later']))
  })
})
