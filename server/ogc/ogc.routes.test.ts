import { Validator } from '@seriousme/openapi-schema-validator'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anCustomField,
  anIncident,
  aParcel,
  line,
  point,
  square,
  storeClient,
  storeConfiguration,
  storeFeatures,
  storeFields,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { makeStubPage } from '#test/page/stub-page.ts'
import { type SignedIn, signIn } from '#test/server/signed-in.ts'
import { expectBadParameter, expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { writeCursor } from '../http/cursor.ts'

// The checks of the standard's test suite (ets-ogcapi-features10), and requests of QGIS and GDAL.

type Link = { rel: string; href: string; type?: string }
type Described = {
  id: string
  title: string
  crs: string[]
  storageCrs: string
  links: Link[]
  extent: { spatial?: { bbox: number[][] }; temporal?: { interval: (string | null)[][] } }
}
type Item = {
  type: string
  id: string
  geometry: { type: string; coordinates: unknown }
  properties: Record<string, unknown>
  links?: Link[]
}
type Items = {
  type: string
  features: Item[]
  links: Link[]
  timeStamp: string
  numberMatched: number
  numberReturned: number
}
type Schema = {
  $schema: string
  $id: string
  type: string
  additionalProperties?: boolean
  properties: Record<string, Record<string, unknown>>
}

const root = '/ogc/oak-hills'
const crs84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const epsg = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`

const features: NewFeature[] = [
  ...Array.from({ length: 12 }, (_, index) =>
    aParcel({
      id: `lot-${index}`,
      name: `Lot ${index}`,
      area: index,
      owner: index === 3 ? 'Ann Zabriskie' : 'Middlebrook',
      geometry: square(-111.1 + index * 0.01, 34, 0.005),
    }),
  ),
  anAsset({ id: 'tank', name: 'Tank', status: 'offline', geometry: point(-111.05, 34.01) }),
  anAsset({ id: 'pump', name: 'Pump', geometry: point(-111.06, 34.01) }),
  anAsset({ id: 'road', name: 'Road', type: 'road', geometry: line([-111.1, 34.02], [-111, 34.03]) }),
  anAsset({ id: 'pond', name: 'Pond', geometry: square(-111.09, 34.03, 0.001) }),
  anIncident({ id: 'may', date: '2026-05-20T08:30:00.000Z' }),
  anIncident({ id: 'june', date: '2026-06-01T00:00:00.000Z' }),
  anIncident({ id: 'some-day', date: null }),
  aGeneralFeature({ id: 'spring', name: 'Spring', featureType: 'asset', geometry: point(-111.02, 34.02) }),
]

const page = makeStubPage()
afterAll(() => page.remove())

onEachEngine('OGC API - Features', (createDatabase, { engine }) => {
  const isOnSqlite = engine === 'sqlite'
  let database: TestDatabase
  let app: TestApp
  let staff: SignedIn
  beforeAll(async () => {
    database = await createDatabase()
    for (const id of ['oak-hills', 'date-line', 'empty']) await storeClient(database, id)
    await storeClient(database, 'closed', { archived: true })
    await storeMap(database, 'sample')
    await storeFeatures(database, features)
    await storeFeatures(database, [
      anAsset({ mapId: 'date-line', id: 'west', geometry: point(179, 66) }),
      anAsset({ mapId: 'date-line', id: 'east', geometry: point(-179, 66) }),
      anAsset({ mapId: 'date-line', id: 'home', geometry: point(0, 51) }),
      anAsset({ mapId: 'date-line', id: 'pole', geometry: point(10, 90) }),
      aParcel({ mapId: 'date-line', id: 'point', geometry: point(5, 5) }),
    ])
    app = await startTestApp(database, { pageDirectory: page.folder })
    staff = await signIn(database, ['editor:oak-hills'])
  })

  const get = (path: string, headers = {}) =>
    app.get(`${root}${path}`, { accept: 'application/json', ...headers })
  async function read<Answer>(path: string, headers = {}): Promise<Answer> {
    const answer = await get(path, headers)
    expect(answer.statusCode, `${path}: ${answer.body}`).toBe(200)
    return answer.json<Answer>()
  }
  const itemsOf = (id: string, parameters: Record<string, string> = {}, headers = {}) =>
    read<Items>(`/collections/${id}/items?${new URLSearchParams(parameters)}`, headers)
  const idsOf = async (id: string, parameters: Record<string, string> = {}, headers = {}) => {
    const items = await itemsOf(id, { limit: '1000', ...parameters }, headers)
    expect(items.numberMatched).toBe(items.features.length)
    return items.features.map((feature) => feature.id).sort()
  }
  const lots = (...numbers: number[]) => numbers.map((number) => `lot-${number}`).sort()

  if (isOnSqlite)
    describe('lists maps', () => {
      it('that are open, each with its landing page', async () => {
        const { maps } = await app.getJson<{ maps: { id: string; links: Link[] }[] }>('/ogc')
        expect(maps.map(({ id }) => id).sort()).toEqual(['date-line', 'empty', 'oak-hills'])
        for (const { links } of maps) expect((await app.get(links[0]?.href ?? '')).statusCode).toBe(200)
        expectProblem(await app.get('/ogc/closed'), 404)
        expectProblem(await app.get('/ogc/nowhere'), 404)
        expectBadParameter(await app.get('/ogc/No_Map'), 'path', 'mapId')
        expect((await app.get('/ogc/sample')).statusCode).toBe(200)
      })
    })

  if (isOnSqlite)
    describe('has a landing page', () => {
      it('that links to all other resources with their types', async () => {
        for (const path of ['', '/']) {
          const { links, title } = await read<{ links: Link[]; title: string }>(path)
          expect(title).toBe('Oak Hills')
          const byRel = new Map(links.map((link) => [link.rel, link]))
          for (const rel of ['self', 'service-desc', 'conformance', 'data']) {
            const { href = '', type = '' } = byRel.get(rel) ?? {}
            expect(href).toMatch(/^http:\/\/localhost(:\d+)?\/ogc\/oak-hills/)
            const answer = await app.get(href, { accept: 'application/json' })
            expect(answer.statusCode).toBe(200)
            expect(answer.headers['content-type']).toContain(type)
          }
          expect(byRel.get('service-desc')?.type).toBe('application/vnd.oai.openapi+json;version=3.0')
        }
      })

      it('that uses the configured public URL', async () => {
        await using elsewhere = await startTestApp(database, {
          settings: { PUBLIC_URL: 'https://maps.example.com' },
        })
        const answer = await elsewhere.get(root, { host: 'maps.example.com' })
        expect(answer.json<{ links: Link[] }>().links[0]?.href).toBe('https://maps.example.com/ogc/oak-hills')
      })
    })

  if (isOnSqlite)
    it('lists conformance classes', async () => {
      const { conformsTo } = await read<{ conformsTo: string[] }>('/conformance')
      for (const name of [
        'ogcapi-features-1/1.0/conf/core',
        'ogcapi-features-1/1.0/conf/oas30',
        'ogcapi-features-1/1.0/conf/geojson',
        'ogcapi-features-2/1.0/conf/crs',
        'ogcapi-features-3/1.0/conf/queryables',
        'ogcapi-features-3/1.0/conf/filter',
        'ogcapi-features-3/1.0/conf/features-filter',
        'ogcapi-features-4/1.0/conf/create-replace-delete',
        'ogcapi-features-4/1.0/conf/update',
        'ogcapi-features-5/1.0/conf/schemas',
        'cql2/1.0/conf/cql2-text',
        'cql2/1.0/conf/basic-cql2',
        'cql2/1.0/conf/basic-spatial-functions',
      ])
        expect(conformsTo).toContain(`http://www.opengis.net/spec/${name}`)
      expect(conformsTo.join()).not.toMatch(/html|optimistic-locking/)
    })

  describe('has collections', () => {
    it('for each kind and shape, even if empty', async () => {
      const idsOn = async (mapId: string) =>
        (await app.getJson<{ collections: Described[] }>(`/ogc/${mapId}/collections`)).collections.map(
          ({ id }) => id,
        )
      const drawn = ['parcels', 'assets.points', 'assets.lines', 'assets.areas', 'incidents']
      expect(await idsOn('empty')).toEqual(drawn)
      expect(await idsOn('oak-hills')).toEqual([...drawn, 'items.points'])
      expect(await idsOn('date-line')).toEqual(['parcels.points', ...drawn])
    })

    it('that are equal in the list and on their own', async () => {
      const { collections, links } = await read<{ collections: Described[]; links: Link[] }>('/collections')
      expect(links).toContainEqual(expect.objectContaining({ rel: 'self', type: 'application/json' }))
      for (const listed of collections) {
        expect(await read(`/collections/${listed.id}`)).toEqual(listed)
        for (const { href, type = '' } of listed.links) {
          const answer = await app.get(href)
          expect(answer.statusCode, href).toBe(200)
          expect(answer.headers['content-type'], href).toContain(type)
        }
        expect(listed.links.map(({ rel }) => rel)).toEqual(
          expect.arrayContaining([
            'self',
            'items',
            'http://www.opengis.net/def/rel/ogc/1.0/queryables',
            'http://www.opengis.net/def/rel/ogc/1.0/schema',
          ]),
        )
        const statePlanes = [2222, 2223, 26_948, 26_949].map(epsg)
        expect(listed.crs).toEqual([crs84, epsg(4326), epsg(3857), epsg(32_612), ...statePlanes])
        expect(listed.storageCrs).toBe(crs84)
        const [west = 0, south = 0, east = 0, north = 0] = listed.extent.spatial?.bbox[0] ?? []
        for (const feature of (await itemsOf(listed.id)).features)
          for (const [, lng, lat] of JSON.stringify(feature.geometry).matchAll(
            /\[(-?[\d.]+),(-?[\d.]+)\]/g,
          )) {
            expect(Number(lng)).toBeGreaterThanOrEqual(west)
            expect(Number(lng)).toBeLessThanOrEqual(east)
            expect(Number(lat)).toBeGreaterThanOrEqual(south)
            expect(Number(lat)).toBeLessThanOrEqual(north)
          }
      }
      const incidents = await read<Described>('/collections/incidents')
      expect(incidents.extent.temporal?.interval).toEqual([
        ['2026-05-20T00:00:00.000Z', '2026-06-01T23:59:59.999Z'],
      ])
      expect(await read<Described>('/collections/items.points')).toMatchObject({
        extent: { temporal: { interval: [[null, null]] } },
      })
    })

    if (isOnSqlite)
      it('and rejects others', async () => {
        for (const path of ['', '/items', '/items/lot-1', '/queryables', '/schema'])
          for (const id of ['houses', 'assets', 'parcels.areas', 'constructor', '%00'])
            expectProblem(await get(`/collections/${id}${path}`), 404)
      })

    it('of an empty map', async () => {
      const { collections } = await app.getJson<{ collections: Described[] }>('/ogc/empty/collections')
      expect(collections[0]).toMatchObject({ extent: {}, crs: [crs84, epsg(4326), epsg(3857)] })
      const items = await app.getJson<Items>('/ogc/empty/collections/incidents/items')
      expect(items).toMatchObject({ numberMatched: 0, numberReturned: 0, features: [] })
      const schema = await app.getJson<Schema>('/ogc/empty/collections/parcels/schema')
      expect(schema.properties.geometry?.format).toBe('geometry-multipolygon')
    })
  })

  describe('answers with items', () => {
    it('as a feature collection', async () => {
      const answer = await get('/collections/parcels/items?limit=5')
      expect(answer.headers['content-type']).toBe('application/geo+json')
      expect(answer.headers['content-crs']).toBe(`<${crs84}>`)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      const items = answer.json<Items>()
      expect(items).toMatchObject({ type: 'FeatureCollection', numberMatched: 12, numberReturned: 5 })
      expect(items.features).toHaveLength(5)
      expect(Math.abs(Date.parse(items.timeStamp) - Date.now())).toBeLessThan(60_000)
      expect(Object.keys(items)).not.toContain('crs')
      expect((await get('/collections/parcels/items?filter=area>5')).headers.link).toContain(
        'area%3E5>; rel="self"',
      )
      for (const { rel, href } of items.links) {
        expect(answer.headers.link).toContain(`<${href}>; rel="${rel}"`)
        expect((await app.get(href)).statusCode).toBe(200)
      }
      expect(items.links.map(({ rel, type }) => [rel, type])).toEqual(
        expect.arrayContaining([
          ['self', 'application/geo+json'],
          ['next', 'application/geo+json'],
        ]),
      )
    })

    it('of one shape each, parcels as several areas', async () => {
      for (const [id, type, ids] of [
        ['parcels', 'MultiPolygon', lots(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)],
        ['assets.points', 'Point', ['pump', 'tank']],
        ['assets.lines', 'MultiLineString', ['road']],
        ['assets.areas', 'MultiPolygon', ['pond']],
        ['incidents', 'Point', ['june', 'may', 'some-day']],
        ['items.points', 'Point', ['spring']],
        ['items.lines', '', []],
      ] as const) {
        const { features: found } = await itemsOf(id)
        expect(found.map((feature) => feature.id).sort()).toEqual([...ids])
        for (const feature of found) {
          expect(feature.type).toBe('Feature')
          expect(feature.geometry.type).toBe(type)
        }
      }
    })

    it('page by page to the end, each once, with an exact count', async () => {
      const queries: Record<string, string>[] = [
        {},
        { filter: 'area > 2' },
        { bbox: '-111.2,33.9,-111.04,34.1' },
      ]
      for (const parameters of queries) {
        const all = await idsOf('parcels', parameters)
        const seen: string[] = []
        let href: string | undefined =
          `${root}/collections/parcels/items?${new URLSearchParams({ ...parameters, limit: '2' })}`
        while (href) {
          const {
            features: page,
            links,
            numberMatched,
            numberReturned,
          }: Items = await app.getJson<Items>(href)
          expect(numberMatched).toBe(all.length)
          expect(numberReturned).toBe(page.length)
          expect(page.length).toBeGreaterThan(0)
          expect(page.length).toBeLessThanOrEqual(2)
          seen.push(...page.map(({ id }) => id))
          href = links.find(({ rel }) => rel === 'next')?.href
        }
        expect(seen.length).toBe(all.length)
        expect(seen.toSorted()).toEqual(all)
      }
    })

    it('at most the limit, which is reduced to the maximum', async () => {
      expect((await itemsOf('parcels', { limit: '1' })).features).toHaveLength(1)
      expect((await itemsOf('parcels', { limit: '10000' })).features).toHaveLength(12)
      expect((await itemsOf('parcels', { limit: '1000000' })).features).toHaveLength(12)
      for (const limit of ['0', 'unlimited', '-1', '1.5', '', '1e3', '99999999999999999'])
        expectBadParameter(await get(`/collections/parcels/items?limit=${limit}`), 'query', 'limit')
    })

    it('that touch a box', async () => {
      expect(await idsOf('parcels', { bbox: '-111.096,34.001,-111.089,34.002' })).toEqual(lots(0, 1))
      expect(await idsOf('parcels', { bbox: '-111.095,34.005,0,-111.0901,34.01,5000' })).toEqual(lots(0))
      expect(await idsOf('parcels', { bbox: '-180,-90,180,90' })).toHaveLength(12)
      expect(await idsOf('parcels', { bbox: '-1000,-1000,1000,1000' })).toHaveLength(12)
      expect(await idsOf('assets.lines', { bbox: '-111.1,34.029,-111.09,34.03' })).toEqual([])
      expect(await idsOf('assets.lines', { bbox: '-111.1,34.02,-111.09,34.03' })).toEqual(['road'])
      expect(await idsOf('assets.points', { bbox: '-111.05,34.01,-111.05,34.01' })).toEqual(['tank'])
      for (const bbox of [
        '1,2,3',
        '1,2,3,4,5',
        'a,b,c,d',
        '1,2,3,',
        '0,10,1,9',
        '',
        'NaN,0,1,1',
        '0,0,Infinity,1',
      ])
        expectBadParameter(await get(`/collections/parcels/items?bbox=${bbox}`), 'query', 'bbox')
    })

    it('across the date line and around the poles', async () => {
      const idsIn = async (bbox: string) => {
        const items = await app.getJson<Items>(`/ogc/date-line/collections/assets.points/items?bbox=${bbox}`)
        expect(items.numberMatched).toBe(items.numberReturned)
        return items.features.map(({ id }) => id).sort()
      }
      expect(await idsIn('177,65,-177,70')).toEqual(['east', 'west'])
      expect(await idsIn('-180,85,180,90')).toEqual(['pole'])
      expect(await idsIn('-180,-90,180,-85')).toEqual([])
      expect(await idsIn('-1.5,50,1.5,53')).toEqual(['home'])
    })

    it('in a time span, ends included, and those without a time', async () => {
      for (const [datetime, ids] of [
        ['2026-05-20T08:30:00Z', ['may', 'some-day']],
        ['2026-05-20T08:30:01Z', ['some-day']],
        ['2026-05-20', ['may', 'some-day']],
        ['2026-05-20T08:30:00Z/2026-06-01T00:00:00Z', ['june', 'may', 'some-day']],
        ['2026-05-20T10:30:01+02:00/..', ['june', 'some-day']],
        ['../2026-05-31T23:59:59Z', ['may', 'some-day']],
        ['/2026-05-31T23:59:59Z', ['may', 'some-day']],
        ['2026-06-01T00:00:00Z/', ['june', 'some-day']],
        ['../..', ['june', 'may', 'some-day']],
      ] as const)
        expect(await idsOf('incidents', { datetime }), datetime).toEqual([...ids])
      expect(await idsOf('assets.points', { datetime: '1990-01-01' })).toEqual(['pump', 'tank'])
      for (const datetime of [
        'yesterday',
        '2026-05-20/2026-05-21/2026-05-22',
        '2026-06-01/2026-05-01',
        '..',
        '',
        '2026-13-01',
        '2026-05-20T08:30:00',
      ])
        expectBadParameter(
          await get(`/collections/incidents/items?datetime=${encodeURIComponent(datetime)}`),
          'query',
          'datetime',
        )
    })

    if (isOnSqlite)
      it('and rejects unknown parameters', async () => {
        for (const name of ['f', 'foo', 'offset', 'resulttype', 'sortby', 'Limit'])
          expectBadParameter(await get(`/collections/parcels/items?${name}=1`), 'query', name)
        expectBadParameter(await get('/collections/parcels/items?limit=1&limit=2'), 'query', 'limit')
        for (const after of ['nonsense', writeCursor(['[]', '12']), writeCursor(['', '-1'])])
          expectBadParameter(await get(`/collections/parcels/items?after=${after}`), 'query', 'after')
        for (const path of [
          '',
          '/api',
          '/conformance',
          '/collections',
          '/collections/parcels',
          '/collections/parcels/schema',
          '/collections/parcels/queryables',
          '/collections/parcels/items/lot-1',
        ])
          expectBadParameter(await get(`${path}?f=json`), 'query', 'f')
        expectBadParameter(await app.get('/ogc?f=json'), 'query', 'f')
      })
  })

  describe('answers with one item', () => {
    it('as a feature with its links', async () => {
      const answer = await get('/collections/parcels/items/lot-3')
      expect(answer.headers['content-type']).toBe('application/geo+json')
      expect(answer.headers['content-crs']).toBe(`<${crs84}>`)
      expect(answer.headers.etag).toBe('"1"')
      const item = answer.json<Item>()
      expect(item).toMatchObject({ type: 'Feature', id: 'lot-3' })
      expect(Object.keys(item)).not.toContain('crs')
      const listed = (await itemsOf('parcels', { limit: '1000' })).features.find(({ id }) => id === 'lot-3')
      expect(item).toEqual({ ...listed, links: item.links })
      expect(item.links?.map(({ rel, type }) => [rel, type])).toEqual(
        expect.arrayContaining([
          ['self', 'application/geo+json'],
          ['collection', 'application/json'],
        ]),
      )
      for (const { href } of item.links ?? []) expect((await app.get(href)).statusCode).toBe(200)
    })

    it('and returns a 404 for a missing one', async () => {
      for (const id of ['none', 'tank', 'spring', 'a%20b', 'x'.repeat(200)])
        expectProblem(await get(`/collections/parcels/items/${id}`), 404)
      expectProblem(await get('/collections/assets.points/items/spring'), 404)
      expectProblem(await get('/collections/assets.lines/items/tank'), 404)
    })
  })

  describe('in any of its reference systems', () => {
    it('at the same places', async () => {
      const place = async (crs: string) => {
        const answer = await get(`/collections/assets.points/items/tank?crs=${crs}`)
        expect(answer.headers['content-crs']).toBe(`<${crs}>`)
        const page = await get(`/collections/assets.points/items?crs=${crs}`)
        expect(page.headers['content-crs']).toBe(`<${crs}>`)
        const listed = page.json<Items>().features.find(({ id }) => id === 'tank')
        expect(listed?.geometry).toEqual(answer.json<Item>().geometry)
        return answer.json<Item>().geometry.coordinates
      }
      expect(await place(crs84)).toEqual([-111.05, 34.01])
      expect(await place(epsg(4326))).toEqual([34.01, -111.05])
      expect(await place(epsg(3857))).toEqual([
        expect.closeTo(-12_362_029.4526, 2),
        expect.closeTo(4_030_144.8609, 2),
      ])
      expect(await place(epsg(32_612))).toEqual([
        expect.closeTo(495_383.1493, 2),
        expect.closeTo(3_763_265.8854, 2),
      ])
      expect(await place(epsg(2223))).toEqual([
        expect.closeTo(962_633.1284, 2),
        expect.closeTo(1_096_133.9207, 2),
      ])
    })

    it('in the same box', async () => {
      for (const [system, bbox] of [
        [crs84, '-111.086,33.99,-111.064,34.01'],
        [epsg(4326), '33.99,-111.086,34.01,-111.064'],
        [epsg(3857), '-12366037.0,4028999.6,-12363588.0,4031684.2'],
        [epsg(32_612), '492056,3761044,494088,3763263'],
        [epsg(2223), '951753,1088793,958421,1096071'],
      ] as const)
        expect(await idsOf('parcels', { bbox, 'bbox-crs': system }), system).toEqual(lots(1, 2, 3))
    })

    it('with shapes that are not upright', async () => {
      const { geometry } = await read<Item>(`/collections/parcels/items/lot-3?crs=${epsg(32_612)}`)
      expect(geometry.type).toBe('MultiPolygon')
      const wkt = `POLYGON((${((geometry.coordinates as number[][][][])[0]?.[0] ?? []).map((position) => position.join(' ')).join(',')}))`
      expect(
        await idsOf('parcels', { filter: `S_INTERSECTS(geometry,${wkt})`, 'filter-crs': epsg(32_612) }),
      ).toEqual(lots(3))
    })

    it('by the box itself, not by its extent', async () => {
      await storeClient(database, 'aslant')
      const places = { inside: point(-113.5, 60), outside: point(-113.131, 59.491) }
      const box = `bbox=280000,6600000,380000,6700000&bbox-crs=${epsg(32_612)}`
      for (const [id, geometry] of Object.entries(places)) {
        await storeFeatures(database, [anAsset({ mapId: 'aslant', id, geometry })])
        const { features: found } = await app.getJson<Items>(
          `/ogc/aslant/collections/assets.points/items?${box}`,
        )
        expect(found.map((feature) => feature.id)).toEqual(['inside'])
      }
    })

    if (isOnSqlite)
      it('and rejects others', async () => {
        for (const name of ['crs', 'bbox-crs', 'filter-crs'])
          for (const uri of [epsg(2868), epsg(32_613), 'EPSG:4326', ''])
            expectBadParameter(
              await get(`/collections/parcels/items?bbox=1,2,3,4&filter=TRUE&${name}=${uri}`),
              'query',
              name,
            )
        expectBadParameter(await get('/collections/parcels/items/lot-3?crs=here'), 'query', 'crs')
        for (const bbox of ['1e300,1e300,1e301,1e301', '9,9,1,1'])
          expectBadParameter(
            await get(`/collections/parcels/items?bbox=${bbox}&bbox-crs=${epsg(32_612)}`),
            'query',
            'bbox',
          )
      })
  })

  describe('filters', () => {
    it('by the properties of a collection', async () => {
      for (const [id, filter, ids] of [
        ['parcels', 'area BETWEEN 3 AND 5', lots(3, 4, 5)],
        ['parcels', "name = 'Lot 7' OR id = 'lot-8'", lots(7, 8)],
        ['parcels', "CASEI(name) LIKE CASEI('LOT 1%')", lots(1, 10, 11)],
        ['parcels', "zoning.type <> 'Residential'", []],
        ['parcels', 'S_INTERSECTS(geometry, POINT(-111.0975 34.0025))', lots(0)],
        ['assets.points', "status IN ('offline')", ['tank']],
        ['assets.lines', 'S_INTERSECTS(geometry, BBOX(-111.1,34.029,-111.09,34.03))', []],
        ['incidents', "date < DATE('2026-06-01')", ['may']],
        ['incidents', 'date IS NULL AND resolved = FALSE', ['some-day']],
        ['items.points', "featureType = 'asset'", ['spring']],
      ] as const)
        expect(await idsOf(id, { filter, 'filter-lang': 'cql2-text' }), filter).toEqual([...ids])
    })

    it('together with box and time', async () => {
      expect(await idsOf('parcels', { filter: 'area > 0', bbox: '-111.1,34,-111.08,34.1' })).toEqual(
        lots(1, 2),
      )
      expect(
        await idsOf('incidents', { filter: "title LIKE 'Smoke%'", datetime: '2026-05-01/2026-05-31' }),
      ).toEqual(['may', 'some-day'])
      expect(
        await idsOf('parcels', {
          filter: 'S_INTERSECTS(geometry,POINT(34.0025 -111.0975))',
          'filter-crs': epsg(4326),
        }),
      ).toEqual(lots(0))
    })

    if (isOnSqlite)
      it('and explains errors of filters', async () => {
        const refuse = async (filter: string) => {
          const answer = await get(`/collections/parcels/items?filter=${encodeURIComponent(filter)}`)
          expectBadParameter(answer, 'query', 'filter')
          return answer.json<{ detail: string }>().detail
        }
        expect(await refuse('area > ')).toBe(
          'filter: must have the name of a property, or a value instead of the end, at character 8',
        )
        expect(await refuse('house = 1')).toBe(
          'filter: has ‘house’, which filters do not support, at character 1',
        )
        await refuse("name = 'a\u0000'")
        await refuse('x'.repeat(4_001))
        await refuse('('.repeat(3_000))
        for (const language of ['cql2-json', 'cql-text', ''])
          expectBadParameter(
            await get(`/collections/parcels/items?filter=TRUE&filter-lang=${language}`),
            'query',
            'filter-lang',
          )
      })
  })

  describe('describes features', () => {
    it('as a JSON schema, which the features satisfy', async () => {
      for (const id of ['parcels', 'assets.points', 'incidents', 'items.points']) {
        const answer = await get(`/collections/${id}/schema`)
        expect(answer.headers['content-type']).toBe('application/schema+json')
        const schema = answer.json<Schema>()
        expect(schema).toMatchObject({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
        })
        expect(new URL(schema.$id).pathname).toBe(`${root}/collections/${id}/schema`)
        expect(schema.properties.id).toMatchObject({ type: 'string', 'x-ogc-role': 'id' })
        expect(schema.properties.geometry).toMatchObject({ 'x-ogc-role': 'primary-geometry' })
        expect(schema.properties.geometry?.type).toBeUndefined()
        const names = Object.keys(schema.properties).filter((name) => !['id', 'geometry'].includes(name))
        for (const { properties } of (await itemsOf(id)).features)
          expect(Object.keys(properties)).toEqual(names)
      }
      const { properties } = await read<Schema>('/collections/incidents/schema')
      expect(properties.date).toMatchObject({
        type: 'string',
        format: 'date-time',
        'x-ogc-role': 'primary-instant',
      })
      expect(properties.severity).toMatchObject({ enum: ['high', 'medium', 'low'] })
      expect(properties.resolved).toMatchObject({ type: 'boolean', title: 'Status' })
      const parcels = await read<Schema>('/collections/parcels/schema')
      expect(parcels.properties.buildings).toMatchObject({ type: 'integer' })
      expect(parcels.properties.purchaseDate).toMatchObject({ type: 'string', format: 'date' })
    })

    it('with the queryable properties only', async () => {
      for (const id of ['parcels', 'assets.lines', 'incidents', 'items.points']) {
        const answer = await get(`/collections/${id}/queryables`)
        expect(answer.headers['content-type']).toBe('application/schema+json')
        const schema = answer.json<Schema>()
        expect(schema).toMatchObject({
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          additionalProperties: false,
        })
        expect(new URL(schema.$id).pathname).toBe(`${root}/collections/${id}/queryables`)
        for (const [name, property] of Object.entries(schema.properties)) {
          if (name === 'geometry')
            expect(property).toMatchObject({ format: expect.stringMatching(/^geometry-/) })
          else expect(property.type, name).toBeTypeOf('string')
          await idsOf(id, { filter: `"${name}" IS NOT NULL` })
        }
      }
    })
  })

  describe('hides', () => {
    const personal = ['owner', 'taxInfo.annualAmount', 'taxInfo.lastPaid']
    it('personal data in features, schema, queryables and filters', async () => {
      const listed = await itemsOf('parcels')
      const schema = await read<Schema>('/collections/parcels/schema')
      const queryables = await read<Schema>('/collections/parcels/queryables')
      const all = await idsOf('parcels', { filter: "owner = 'Ann Zabriskie'" }, staff)
      expect(all).toEqual(lots(3))
      const seen = await read<Schema>('/collections/parcels/queryables', staff)
      for (const name of personal) {
        expect(Object.keys(listed.features[0]?.properties ?? {})).not.toContain(name)
        expect(Object.keys(schema.properties)).not.toContain(name)
        expect(Object.keys(queryables.properties)).not.toContain(name)
        expect(Object.keys(seen.properties)).toContain(name)
        const filtered = `/collections/parcels/items?filter=${encodeURIComponent(`"${name}" IS NULL`)}`
        expect(expectProblem(await get(filtered), 401).detail).toContain(`‘${name}’ is only for staff`)
        await itemsOf('parcels', { filter: `"${name}" IS NULL` }, staff)
      }
      expect(JSON.stringify(listed)).not.toMatch(/Zabriskie|Middlebrook/)
      expect((await get('/collections/parcels/items/lot-3')).body).not.toContain('Zabriskie')
      expect((await get('/collections/parcels/items/lot-3', staff)).body).toContain('Zabriskie')
      const others = await signIn(database, ['manager:date-line'])
      expectProblem(await get("/collections/parcels/items?filter=owner='x'", others), 403)
      expectBadParameter(await get("/collections/parcels/items?filter=owner='x", others), 'query', 'filter')
    })

    it('staff fields, whatever the map publishes', async () => {
      await storeClient(database, 'shown')
      await storeConfiguration(database, 'shown', 1, { showPersonalData: true })
      await storeFeatures(database, [
        aParcel({ mapId: 'shown', id: 'lot', owner: 'Ann Zabriskie' }),
        anAsset({
          mapId: 'shown',
          id: 'well',
          maintenancePlan: { task: 'Paint', everyMonths: 12, month: null, firstDue: '2020-01-01' },
        }),
      ])
      const getShown = (path: string) => app.get(`/ogc/shown/collections/${path}`)
      expect((await getShown("parcels/items?filter=owner='Ann Zabriskie'")).json<Items>().numberMatched).toBe(
        1,
      )
      expect((await getShown('assets.points/items')).body).not.toMatch(/Paint|nextDue/)
      for (const name of ['nextDue', 'maintenancePlan.task'])
        expectProblem(await getShown(`assets.points/items?filter=${name} IS NULL`), 401)
      const manager = await signIn(database, ['manager:shown'])
      const answer = await app.get(
        "/ogc/shown/collections/assets.points/items?filter=nextDue <= DATE('2020-01-01')",
        manager,
      )
      expect(answer.json<Items>().features[0]?.properties).toMatchObject({
        'maintenancePlan.task': 'Paint',
        nextDue: '2020-01-01',
      })
    })

    it('custom fields that are personal, and shows the others', async () => {
      await storeClient(database, 'own')
      await storeFeatures(database, [
        anAsset({ mapId: 'own', id: 'gate', own: { color: 'red', contact: 'Ann Zabriskie' } }),
      ])
      const contact = anCustomField('contact', { label: 'Contact', visibleTo: 'staff' })
      await storeFields(database, 'own', { asset: [anCustomField('color', { label: 'Color' }), contact] })
      const getOwn = (path: string) => app.get(`/ogc/own/collections/assets.points/${path}`)
      expect(
        (await getOwn("items?filter=own.color='red'")).json<Items>().features[0]?.properties,
      ).toMatchObject({ 'own.color': 'red' })
      expect((await getOwn('schema')).json<Schema>().properties['own.color']).toMatchObject({
        title: 'Color',
        type: 'string',
      })
      for (const path of ['items', 'schema', 'queryables'])
        expect((await getOwn(path)).body).not.toMatch(/contact|zabriskie/i)
      expectBadParameter(await getOwn('items?filter=own.contact IS NULL'), 'query', 'filter')
    })
  })

  if (isOnSqlite)
    describe('supports HTTP', () => {
      const everyPath = [
        '',
        '/api',
        '/conformance',
        '/collections',
        '/collections/parcels',
        '/collections/parcels/queryables',
        '/collections/parcels/schema',
        '/collections/parcels/items',
        '/collections/parcels/items/lot-1',
      ]
      const expectReadable = (answer: LightMyRequestResponse, path: string) => {
        expect(answer.headers['access-control-allow-origin'], path).toBe('*')
        expect(answer.headers['cache-control'], path).toBe('private, no-cache')
        expect(answer.headers.vary, path).toContain('Cookie')
        expect(answer.headers.etag, path).toBeTypeOf('string')
      }

      it('HEAD and conditional requests', async () => {
        for (const path of everyPath) {
          const answer = await get(path)
          expectReadable(answer, path)
          const head = await app.send({ method: 'HEAD', url: root + path })
          expect(head.statusCode, path).toBe(200)
          expect(head.body).toBe('')
          expect(head.headers['content-type'], path).toBe(answer.headers['content-type'])
          if (path.endsWith('lot-1')) continue
          const etag = String(answer.headers.etag)
          const again = await get(path, { 'if-none-match': etag })
          expect(again.statusCode, path).toBe(304)
          expect(again.body).toBe('')
          expect(again.headers.etag).toBe(etag)
        }
        const before = (await get('/collections/assets.lines/items')).headers.etag
        expect((await get('/collections/assets.points/items')).headers.etag).not.toBe(before)
      })

      it('with CORS and OPTIONS', async () => {
        for (const path of everyPath) {
          const answer = await app.send({
            method: 'OPTIONS',
            url: root + path,
            headers: { origin: 'https://example.com' },
          })
          expect(answer.statusCode, path).toBe(200)
          expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
          expect(answer.headers['access-control-allow-origin']).toBe('*')
        }
      })

      it('with 401 or 405 for changes by visitors', async () => {
        const editable = [
          { path: '/items', methods: ['POST'] },
          { path: '/lot-1', methods: ['PUT', 'PATCH', 'DELETE'] },
        ]
        for (const path of everyPath)
          for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
            const answer = await app.send({ method, url: root + path })
            const isEdit = editable.some((one) => path.endsWith(one.path) && one.methods.includes(method))
            expectProblem(answer, isEdit ? 401 : 405)
            if (!isEdit) expect(answer.headers.allow).toMatch(/^GET, HEAD, OPTIONS/)
          }
      })

      it('with problems for other errors, also in a browser', async () => {
        for (const path of [
          '/nowhere',
          '/collections/parcels/nowhere',
          '/collections/parcels/items/lot-1/nowhere',
        ])
          expectProblem(await get(path, { accept: 'text/html' }), 404)
        expectProblem(await get('/collections/houses', { accept: 'text/html' }), 404)
      })
    })
})

onEngine('sqlite', 'the OpenAPI document of a map', (createDatabase) => {
  type Parameter = {
    name: string
    in: string
    required: boolean
    style: string
    explode: boolean
    schema: Record<string, unknown>
  }
  type Document = {
    openapi: string
    servers: { url: string }[]
    paths: Record<
      string,
      Record<
        'get' | 'post' | 'put' | 'patch' | 'delete',
        {
          security: object[]
          parameters: Parameter[]
          responses: Record<string, { content?: Record<string, object> }>
        }
      >
    >
  }
  let app: TestApp
  beforeAll(async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, features)
    app = await startTestApp(database)
  })
  const readDocument = async () => (await app.get(`${root}/api`)).json<Document>()

  it('is valid OpenAPI 3.0', async () => {
    const answer = await app.get(`${root}/api`, { accept: 'application/vnd.oai.openapi+json;version=3.0' })
    expect(answer.headers['content-type']).toBe('application/vnd.oai.openapi+json;version=3.0')
    const document = answer.json<Document>()
    expect(document.openapi).toMatch(/^3\.0\.\d$/)
    const validator = new Validator()
    expect(await validator.validate(answer.json())).toEqual({ valid: true })
    expect(validator.version).toBe('3.0')
    expect(await new Validator().validate({ ...document, paths: { 'no-slash': {} } })).toMatchObject({
      valid: false,
    })
  })

  it('has the paths that the standard’s test suite requires', async () => {
    const { servers, paths } = await readDocument()
    expect(servers).toEqual([{ url: expect.stringMatching(/^http:\/\/localhost(:\d+)?\/ogc\/oak-hills$/) }])
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/',
        '/conformance',
        '/collections',
        '/collections/{collectionId}',
        '/collections/{collectionId}/items',
        '/collections/{collectionId}/items/{featureId}',
      ]),
    )
  })

  it('describes the parameters of items inline', async () => {
    const { paths } = await readDocument()
    const parameters = paths['/collections/{collectionId}/items']?.get.parameters ?? []
    const inQuery = parameters.filter((parameter) => parameter.in === 'query')
    for (const parameter of inQuery)
      expect(parameter).toMatchObject({ required: false, style: 'form', explode: false })
    const schemas = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]))
    expect(schemas.limit).toEqual({ type: 'integer', minimum: 1, maximum: 10_000, default: 100 })
    expect(schemas.bbox).toEqual({ type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 })
    expect(schemas.datetime).toEqual({ type: 'string' })
    expect(schemas['filter-lang']).toEqual({ type: 'string', enum: ['cql2-text'], default: 'cql2-text' })
    for (const { name, schema } of inQuery) {
      if (schema.default === undefined) continue
      const url = `${root}/collections/parcels/items?${name}=${encodeURIComponent(String(schema.default))}`
      expect((await app.get(url)).statusCode, name).toBe(200)
    }
  })

  it('describes editing, at the paths that support it', async () => {
    const { paths } = await readDocument()
    const editsOf = Object.entries(paths).flatMap(([path, { get: _, ...others }]) =>
      Object.keys(others).map((method) => `${method} ${path}`),
    )
    const item = '/collections/{collectionId}/items/{featureId}'
    const expected = [
      'post /collections/{collectionId}/items',
      `put ${item}`,
      `patch ${item}`,
      `delete ${item}`,
    ]
    expect(editsOf).toEqual(expected)
  })

  it('requires tokens for changes only', async () => {
    const { paths } = await readDocument()
    const withToken = [{ bearer: [] }, { basic: [] }]
    for (const { get, ...edits } of Object.values(paths)) {
      expect(get.security).toEqual([{}, ...withToken])
      for (const { security } of Object.values(edits)) expect(security).toEqual(withToken)
    }
  })

  it('matches each response', async () => {
    const { paths } = await readDocument()
    for (const [path, { get }] of Object.entries(paths)) {
      const url = root + path.replace('{collectionId}', 'parcels').replace('{featureId}', 'lot-1')
      const answer = await app.get(url)
      expect(Object.keys(get.responses['200']?.content ?? {}), path).toEqual([answer.headers['content-type']])
    }
  })
})
