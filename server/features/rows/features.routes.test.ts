import { beforeAll, describe, expect, it } from 'vitest'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
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

type Page = { items: FeatureSummary[]; total: number; next: string | null }

const features = [
  anIncident({ id: 'newest', title: 'Brush fire', date: '2026-05-20T00:00:00.000Z' }),
  anIncident({
    id: 'eve',
    title: 'Élan flood',
    type: 'flood',
    severity: 'low',
    date: '2026-05-19T23:59:59.999Z',
    resolved: true,
  }),
  anIncident({ id: 'undated', title: 'Übergroße Äste', type: null, severity: null, date: null }),
  anAsset({ id: 'pump', name: 'Pump 10', status: 'offline', geometry: point(-111, 34) }),
  anAsset({ id: 'pole', name: 'Pump 2', type: 'electrical', geometry: point(-110, 34) }),
  anAsset({
    id: 'untyped',
    name: 'Thing',
    type: null,
    description: `${'long '.repeat(200)}end`,
    geometry: line([-110, 35], [-109, 36]),
  }),
  aParcel({ id: 'lot-10', name: 'Lot 10', geometry: square(-112, 33, 1) }),
  aParcel({
    id: 'lot-2',
    name: 'Lot 2',
    description: "O'Neil's well & pump-house",
    geometry: square(-100, 20, 1),
  }),
  aGeneralFeature({
    id: 'general',
    name: 'General',
    featureType: 'road',
    status: 'maintenance',
    geometry: point(-90, 10),
  }),
]

onEachEngine('features', (createDatabase) => {
  let app: TestApp
  beforeAll(async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeClient(database, 'empty')
    await storeClient(database, 'closed', { archived: true })
    await storeFeatures(database, features)
    await storeFeatures(database, [
      aParcel({ id: 'hidden', mapId: 'closed' }),
      aParcel({ id: 'other', mapId: 'empty' }),
    ])
    app = await startTestApp(database)
  })

  const list = (query = '') => app.getJson<Page>(`/api/maps/oak-hills/features${query}`)
  const idsOf = (page: Page) => page.items.map((item) => item.id)

  it('are in order: assets by name in natural order, incidents newest first, parcels by name', async () => {
    const page = await list()
    expect(idsOf(page)).toEqual([
      'general',
      'pole',
      'pump',
      'untyped',
      'newest',
      'eve',
      'undated',
      'lot-2',
      'lot-10',
    ])
    expect(page).toMatchObject({ total: 9, next: null })
  })

  it('are summarized', async () => {
    const { items } = await list()
    expect(items.find((item) => item.id === 'eve')).toEqual({
      id: 'eve',
      kind: 'incident',
      shape: 'point',
      name: 'Élan flood',
      description: '',
      type: 'flood',
      status: 'resolved',
      severity: 'low',
      date: '2026-05-19T23:59:59.999Z',
      location: { lat: 34.05, lng: -111.09 },
      parcel: null,
      area: null,
      owner: null,
      version: 1,
    })
    const long = items.find((item) => item.id === 'untyped')
    expect(long).toMatchObject({ shape: 'line', type: null, severity: null, date: null })
    expect(long?.description).toHaveLength(400)
    expect(items.find((item) => item.id === 'lot-2')).toMatchObject({
      kind: 'parcel',
      shape: 'polygon',
      status: null,
    })
  })

  describe('filters', () => {
    it.each<[what: string, query: string, ids: string[]]>([
      ['one kind', 'kind=parcel', ['lot-2', 'lot-10']],
      ['two kinds', 'kind=parcel,asset', ['general', 'pole', 'pump', 'untyped', 'lot-2', 'lot-10']],
      ['no kind named', 'kind=', idsInOrder()],
      [
        'a type constrains its own kind',
        'type=fire',
        ['general', 'pole', 'pump', 'untyped', 'newest', 'lot-2', 'lot-10'],
      ],
      ['types of two kinds', 'type=fire,road', ['general', 'newest', 'lot-2', 'lot-10']],
      ['a day includes its midnight', 'kind=incident&since=2026-05-20', ['newest', 'undated']],
      ['a day includes its last millisecond', 'kind=incident&since=2026-05-19', ['newest', 'eve', 'undated']],
      [
        'a day leaves other kinds alone',
        'since=2026-06-01',
        ['general', 'pole', 'pump', 'untyped', 'undated', 'lot-2', 'lot-10'],
      ],
      ['the first year', 'kind=incident&since=0000-01-01', ['newest', 'eve', 'undated']],
      ['the last year', 'kind=incident&since=9999-12-31', ['undated']],
      ['severity', 'severity=low', ['eve']],
      ['unknown severity is of incidents alone', 'severity=unknown', ['undated']],
      ['severities', 'severity=unknown,high', ['newest', 'undated']],
      ['status', 'status=unresolved', ['newest', 'undated']],
      ['statuses of two kinds', 'status=resolved,offline', ['pump', 'eve']],
      [
        'everything at once',
        'kind=incident&type=fire,water&since=2026-05-01&severity=high&status=unresolved&bbox=-112,34,-111,35&text=bru',
        ['newest'],
      ],
      ['a box that only touches a point', 'bbox=-111,34,-110.5,34.5', ['pump', 'lot-10']],
      ['a box without width on a point', 'bbox=-110,34,-110,34', ['pole']],
      ['a box that just misses a point', 'bbox=-109.9999999,33.5,-109.5,34.5', []],
      ['a box that touches the corner of a parcel', 'bbox=-113,32,-112,33', ['lot-10']],
      ['a box inside a parcel', 'bbox=-99.6,20.4,-99.5,20.5', ['lot-2']],
      ['the whole world', 'bbox=-180,-90,180,90', idsInOrder()],
      ['accents in the data', 'text=elan', ['eve']],
      ['accents in the search', 'text=BRÜSH', ['newest']],
      ['case', 'text=UBERGROSSE', []],
      ['several words in any order', 'text=fire%20brush', ['newest']],
      ['the beginning of a word', 'text=pum', ['pole', 'pump', 'lot-2']],
      ['not the middle of a word', 'text=ump', []],
      ['punctuation parts words', "text=o'neil", ['lot-2']],
      ['a type is a word', 'text=flood', ['eve']],
      ['an id is found as a whole', 'text=newest', ['newest']],
      ['an id is found beside words', 'text=pump', ['pole', 'pump', 'lot-2']],
      ['an id is not a word', 'text=newes', []],
      ['punctuation alone matches nothing', 'text=!%3F', []],
      ['blanks alone are no search', 'text=%20%20', idsInOrder()],
      ['quotes and operators are text', `text=${encodeURIComponent('"pump" OR NOT * : | &')}`, []],
    ])('%s', async (_what, query, ids) => {
      const page = await list(`?${query}`)
      expect(idsOf(page)).toEqual(ids)
      expect(page.total).toBe(ids.length)
    })

    it.each([
      ['kind=tree', 'kind.0'],
      ['type=fire,smoke', 'type.1'],
      ['status=gone', 'status.0'],
      ['severity=severe', 'severity.0'],
      ['since=2026-02-30', 'since'],
      ['since=yesterday', 'since'],
      ['since=2026-05-20T00:00:00', 'since'],
      ['bbox=1,2,3', 'bbox'],
      ['bbox=1,4,3,2', 'bbox'],
      ['bbox=-181,0,0,1', 'bbox'],
      ['bbox=0,0,1,91', 'bbox'],
      ['bbox=0,5,1,4', 'bbox'],
      ['bbox=NaN,0,1,1', 'bbox'],
      ['text=%00', 'text'],
      [`text=${'x'.repeat(201)}`, 'text'],
      ['limit=0', 'limit'],
      ['limit=1000000', 'limit'],
      ['after=AAAA', 'after'],
      ['kind=asset&kind=parcel', 'kind'],
      ['color=red', 'color'],
    ])('refuses %s', async (query, name) => {
      expectBadParameter(await app.get(`/api/maps/oak-hills/features?${query}`), 'query', name)
    })
  })

  it.each(['/features', '/features/hidden'])('are closed with their client: %s', async (path) => {
    expectProblem(await app.get(`/api/maps/closed${path}`), 404)
    expectProblem(await app.get(`/api/maps/nobody${path}`), 404)
    expectBadParameter(await app.get(`/api/maps/No%20Slug${path}`), 'path', 'mapId')
  })

  it('belong to one map only', async () => {
    expect(idsOf(await app.getJson<Page>('/api/maps/empty/features'))).toEqual(['other'])
    expectProblem(await app.get('/api/maps/oak-hills/features/other'), 404)
  })

  it.each(['nothing', 'LOT-2'])('are not found: %s', async (id) => {
    expectProblem(await app.get(`/api/maps/oak-hills/features/${id}`), 404)
  })

  it.each(['a%20b', 'a%2Fb', 'ü', 'x'.repeat(121)])('refuse the id %s', async (id) => {
    expectBadParameter(await app.get(`/api/maps/oak-hills/features/${id}`), 'path', 'id')
  })
})

function idsInOrder() {
  return ['general', 'pole', 'pump', 'untyped', 'newest', 'eve', 'undated', 'lot-2', 'lot-10']
}
