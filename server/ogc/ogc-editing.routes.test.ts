import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  anCustomField,
  anIncident,
  aParcel,
  line,
  point,
  square,
  storeClient,
  storeFeatures,
  storeFields,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

// Editing by OGC API - Features, part 4 (draft), with the requests of QGIS since 3.32.

type Item = {
  type: 'Feature'
  id: string
  geometry: { type: string; coordinates: unknown }
  properties: Record<string, unknown>
}

type Document = { paths: Record<string, Record<string, { responses: object }>> }

const items = '/ogc/oak-hills/collections/assets.points/items'
const tank = `${items}/tank`
const road = '/ogc/oak-hills/collections/assets.lines/items/road'
const lot = '/ogc/oak-hills/collections/parcels/items/lot'
const json = 'application/geo+json'
const mergePatch = 'application/merge-patch+json'
const crs84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const epsg = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`

function setUp(createDatabase: CreateDatabase) {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeMap(database, 'sample')
    await storeFeatures(database, [
      anAsset({ id: 'tank', name: 'Tank', description: 'Old', geometry: point(-111.05, 34.01) }),
      anAsset({ id: 'road', name: 'Road', type: 'road', geometry: line([-111.1, 34.02], [-111, 34.03]) }),
      aParcel({ id: 'lot', name: 'Lot', area: null, geometry: square(-111.1, 34, 0.005) }),
      anIncident({ id: 'fire' }),
    ])
    const app = await startTestApp(database)
    const { basic, id: tokenId } = await makeToken(database)
    const { paths } = await app.getJson<Document>('/ogc/oak-hills/api')
    const send = async (
      method: NonNullable<InjectOptions['method']>,
      url: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const answer = await app.send({
        method,
        url,
        headers: {
          ...basic,
          ...(body === undefined ? {} : { 'content-type': method === 'PATCH' ? mergePatch : json }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      const path = url.replace(/^.*?\/collections\/[^/]+(\/items)(\/.+)?$/, (_, items, item) =>
        ['/collections/{collectionId}', items, item && '/{featureId}'].join(''),
      )
      const documented = paths[path]?.[method.toLowerCase()]
      if (documented)
        expect(Object.keys(documented.responses), `${method} ${url}`).toContain(String(answer.statusCode))
      return answer
    }
    const read = async (url: string) => (await send('GET', url)).json<Item>()
    return { database, app, basic, tokenId, send, read }
  }
  type Server = Awaited<ReturnType<typeof start>>
  const feature = (properties: object, geometry: object = point(-111.04, 34.02)) => ({
    type: 'Feature',
    geometry,
    properties,
  })
  async function refusedOf(answer: Awaited<ReturnType<Server['send']>>) {
    return expectProblem(answer, 400).errors?.map(({ name }) => name)
  }
  return { start, feature, refusedOf }
}

type CreateDatabase = Parameters<Parameters<typeof onEachEngine>[1]>[0]

onEachEngine('editing by OGC API - Features', (createDatabase) => {
  const { start, feature, refusedOf } = setUp(createDatabase)

  it('accepts the requests of QGIS, with a token as its password and without If-Match', async () => {
    const server = await start()
    const { send, read, app, tokenId } = server
    for (const [url, allowed] of [
      [items, 'GET, HEAD, OPTIONS, POST'],
      [tank, 'GET, HEAD, OPTIONS, PUT, PATCH, DELETE'],
    ] as const) {
      const answer = await send('OPTIONS', url)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers.allow).toBe(allowed)
    }
    const first = (await send('GET', `${items}?limit=10`)).json<{ features: Item[] }>()
    expect(first.features.map(({ id }) => id)).toEqual(['tank'])

    const names = Object.keys(first.features[0]?.properties ?? {})
    const nothing = Object.fromEntries(names.map((name) => [name, null]))
    const added = await send('POST', items, feature({ ...nothing, name: 'Pump', status: 'offline' }))
    expect(added.statusCode, added.body).toBe(201)
    const location = String(added.headers.location)
    expect(location).toMatch(/^http:\/\/.+\/collections\/assets\.points\/items\/[\w-]+$/)
    const pump = new URL(location).pathname
    expect(await read(pump)).toMatchObject({
      geometry: { type: 'Point', coordinates: [-111.04, 34.02] },
      properties: { name: 'Pump', status: 'offline', version: 1 },
    })

    const patched = await send('PATCH', pump, { properties: { status: 'operational' } })
    expect(patched.statusCode, patched.body).toBe(200)
    const moved = await send('PATCH', pump, { geometry: point(-111.03, 34.02) })
    expect(moved.statusCode, moved.body).toBe(200)
    expect(moved.headers.etag).toBe('"3"')

    const whole = await read(pump)
    const put = await send('PUT', pump, {
      ...whole,
      properties: { ...whole.properties, description: 'Loud' },
    })
    expect(put.statusCode, put.body).toBe(200)
    expect(await read(pump)).toMatchObject({
      geometry: { coordinates: [-111.03, 34.02] },
      properties: { name: 'Pump', status: 'operational', description: 'Loud', version: 4 },
    })

    const { id: _, ...copied } = await read(pump)
    const copy = await send('POST', items, copied)
    expect(copy.statusCode, copy.body).toBe(201)
    expect(copy.json()).toMatchObject({ properties: { name: 'Pump', description: 'Loud', version: 1 } })
    expect((await send('DELETE', new URL(String(copy.headers.location)).pathname)).statusCode).toBe(204)

    const removed = await send('DELETE', pump)
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    expectProblem(await send('GET', pump), 404)

    const staff = await signIn(server.database)
    const activity = (await app.get('/api/maps/oak-hills/activity?limit=7', staff)).json()
    const actions = activity.items.map(({ action }: { action: string }) => action)
    expect(actions).toEqual([
      'feature.removed',
      'feature.removed',
      'feature.added',
      'feature.changed',
      'feature.changed',
      'asset.status-changed',
      'feature.added',
    ])
    for (const item of activity.items)
      expect(item).toMatchObject({ actor: 'Maya Ortiz, by token "County sync"', tokenId })
  })

  it('replaces all of a feature, also in concurrent requests', async () => {
    const { send, read } = await start()
    const readValues = async () => {
      const { name, description } = (await read(tank)).properties
      return { name, description }
    }
    for (let round = 0; round < 8; round++) {
      const before = await readValues()
      const values = [
        { ...before, name: `Tank ${round}` },
        { ...before, description: `Seen ${round} times` },
      ]
      const answers = await Promise.all(values.map((properties) => send('PUT', tank, feature(properties))))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
      expect(values).toContainEqual(await readValues())
    }
  })

  describe('keeps or removes', () => {
    it('keeps values that a merge patch omits, and removes those that are null', async () => {
      const { send } = await start()
      const patched = await send('PATCH', tank, { properties: { type: null, installDate: '2020-01-02' } })
      expect(patched.json<Item>().properties).toMatchObject({
        name: 'Tank',
        description: 'Old',
        type: null,
        installDate: '2020-01-02',
      })
      expect(patched.headers['content-type']).toBe(json)
    })

    it('parts of groups, and the client’s custom fields', async () => {
      const { database, send, read } = await start()
      await storeFields(database, 'oak-hills', { parcel: [anCustomField('gateCode')] })
      const before = (await read(lot)).properties
      const answer = await send('PATCH', lot, {
        properties: { 'zoning.restrictions': 'No fences', 'own.gateCode': '4711' },
      })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.json<Item>().properties).toMatchObject({
        'zoning.type': before['zoning.type'],
        'zoning.restrictions': 'No fences',
        'own.gateCode': '4711',
        owner: before.owner,
      })
    })

    it('removes values that a replacement omits, except hidden ones', async () => {
      const { database, send, app } = await start()
      await database.write((transaction) =>
        transaction
          .updateTable('features')
          .set({ metadata: '[{"name":"Source","value":"Survey"}]' })
          .where('id', '=', 'tank')
          .execute(),
      )
      const answer = await send('PUT', tank, feature({ name: 'Tank', status: 'offline' }))
      expect(answer.json<Item>().properties).toMatchObject({
        name: 'Tank',
        status: 'offline',
        type: null,
        installDate: null,
        description: '',
      })
      const detail = (await app.get('/api/maps/oak-hills/features/tank', await signIn(database))).json()
      expect(detail.metadata).toEqual([{ name: 'Source', value: 'Survey' }])
    })

    it('keeps version and shape of an unchanged feature, in any reference system', async () => {
      const { send, read } = await start()
      for (const url of [tank, road, lot])
        for (const system of [undefined, epsg(4326), epsg(3857), epsg(32612)]) {
          const item = await read(system ? `${url}?crs=${encodeURIComponent(system)}` : url)
          const headers: Record<string, string> = system ? { 'content-crs': `<${system}>` } : {}
          const answer = await send('PUT', url, item, headers)
          expect(answer.statusCode, answer.body).toBe(200)
          expect(answer.headers.etag, `${url} ${system}`).toBe('"1"')
          expect(answer.headers['content-crs']).toBe(`<${system ?? crs84}>`)
        }
    })
  })

  describe('accepts shapes', () => {
    it('in the reference system that Content-Crs names', async () => {
      const { send, read } = await start()
      const degrees = { type: 'Point', coordinates: [34.02, -111.04] }
      await send('PATCH', tank, { geometry: degrees }, { 'content-crs': `<${epsg(4326)}>` })
      expect((await read(tank)).geometry.coordinates).toEqual([-111.04, 34.02])
      const meters = { type: 'Point', coordinates: [-12_362_029.4526, 4_029_000] }
      await send('PATCH', tank, { geometry: meters }, { 'content-crs': `<${epsg(3857)}>` })
      const [lng, lat] = (await read(tank)).geometry.coordinates as number[]
      expect(lng).toBeCloseTo(-111.05, 5)
      expect(lat).toBeGreaterThan(33)
      for (const wrong of ['<http://example.com/crs>', epsg(4326), '']) {
        const answer = await send('PATCH', tank, { geometry: degrees }, { 'content-crs': wrong })
        expect(await refusedOf(answer)).toEqual(['Content-Crs'])
      }
      const far = await send('PATCH', tank, { geometry: point(1e9, 1) }, { 'content-crs': `<${epsg(3857)}>` })
      expect(await refusedOf(far)).toEqual(['geometry'])
    })

    it('of parcels, and answers with their new acres', async () => {
      const { send, read } = await start()
      const areaAfter = async (method: 'PATCH' | 'PUT', body: object) => {
        const answer = await send(method, lot, body)
        expect(answer.statusCode, answer.body).toBe(200)
        const { area } = answer.json<Item>().properties
        expect((await read(lot)).properties.area).toBe(area)
        return area
      }
      const [larger, smaller] = [square(-111.1, 34, 0.006), square(-111.1, 34, 0.004)]
      expect(await areaAfter('PATCH', { geometry: larger })).toBe(measureAcres(larger))
      // The whole feature, with the acres of its previous shape.
      const whole = await read(lot)
      expect(await areaAfter('PUT', { ...whole, geometry: smaller })).toBe(measureAcres(smaller))
      expect(await areaAfter('PATCH', { properties: { area: 4 } })).toBe(4)
      expect(await areaAfter('PUT', { ...(await read(lot)), geometry: larger })).toBe(4)
    })

    it('with one part as simple geometries', async () => {
      const { send, database } = await start()
      const lines = {
        type: 'MultiLineString',
        coordinates: [
          [
            [-111.1, 34.02],
            [-111, 34.04],
          ],
        ],
      }
      await send('PATCH', road, { geometry: lines })
      const row = await database.read
        .selectFrom('features')
        .select('geometry')
        .where('id', '=', 'road')
        .executeTakeFirstOrThrow()
      expect(JSON.parse(row.geometry)).toEqual({ type: 'LineString', coordinates: lines.coordinates[0] })
    })
  })

  it('accepts instants in every documented form, in any time zone', async () => {
    const { send, read } = await start()
    const whole = await read(tank)
    const updatedAt = String(whole.properties.updatedAt).replace('Z', '+00:00')
    const same = { ...whole, properties: { ...whole.properties, updatedAt } }
    const answer = await send('PUT', tank, same)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers.etag).toBe('"1"')
    const fire = '/ogc/oak-hills/collections/incidents/items/fire'
    const changed = await send('PATCH', fire, { properties: { date: '2026-05-20T10:30:00+02:00' } })
    expect(changed.json<Item>().properties.date).toBe('2026-05-20T08:30:00.000Z')
  })

  it('accepts an id of the client once, and never that of another feature', async () => {
    const server = await start()
    const { send } = server
    const well = { ...feature({ name: 'Well' }), id: 'well' }
    for (let sent = 0; sent < 2; sent++) {
      const answer = await send('POST', items, well)
      expect(answer.statusCode, answer.body).toBe(201)
      expect(String(answer.headers.location)).toMatch(/\/items\/well$/)
    }
    const other = { ...feature({ name: 'Well 7' }), id: 'well' }
    expect(expectProblem(await send('POST', items, other), 409).detail).toMatch(
      /already has another feature well/,
    )
    expectProblem(await send('POST', items, { ...well, id: 'tank' }), 409)
    const incidents = '/ogc/oak-hills/collections/incidents/items'
    expectProblem(await send('POST', incidents, { ...feature({ title: 'Well' }), id: 'well' }), 409)
  })
})

onEngine('sqlite', 'requests that edit by OGC API - Features', (createDatabase) => {
  const { start, feature, refusedOf } = setUp(createDatabase)
  let server: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    server = await start()
  })

  it('rejects deep nesting', async () => {
    const deep = `${'['.repeat(200_000)}1${']'.repeat(200_000)}`
    const answer = await server.app.send({
      method: 'PATCH',
      url: tank,
      headers: { ...server.basic, 'content-type': 'application/merge-patch+json' },
      payload: `{"geometry":{"type":"Point","coordinates":${deep}}}`,
    })
    expectProblem(answer, 400)
  })

  describe('names the invalid part', () => {
    it.each<[what: string, body: unknown, names: string[]]>([
      ['a line among points', feature({ name: 'x' }, line([-111, 34], [-111, 35])), ['geometry']],
      ['no shape', { ...feature({ name: 'x' }), geometry: null }, ['geometry']],
      ['nothing of a shape', { type: 'Feature', properties: { name: 'x' } }, ['geometry']],
      ['a shape without a place', feature({ name: 'x' }, { type: 'Point' }), ['geometry.coordinates']],
      ['a place nowhere', feature({ name: 'x' }, point(-111, 91)), ['geometry']],
      [
        'too deep a place',
        feature({ name: 'x' }, { type: 'Point', coordinates: [[[[[[1]]]]]] }),
        ['geometry.coordinates.0', 'geometry.coordinates.1'],
      ],
      ['an unknown property', feature({ name: 'x', colour: 'red' }), ['colour']],
      ['a property of another kind', feature({ name: 'x', owner: 'Ann' }), ['owner']],
      ['a wrong value', feature({ name: 'x', status: 'sleeping' }), ['status']],
      ['a number for a text', feature({ name: 7 }), ['name']],
      ['no name', feature({}), ['name']],
      ['a foreign member', { ...feature({ name: 'x' }), crs: { type: 'name' } }, ['crs']],
      ['no feature', { type: 'Point', coordinates: [1, 2] }, ['coordinates', 'type', 'geometry']],
      ['a list', [], ['body']],
      ['an odd id', { ...feature({ name: 'x' }), id: 'a b' }, ['id']],
      ['an id that no address can have', { ...feature({ name: 'x' }), id: '..' }, ['id']],
      ['properties that are a text', { ...feature({}), properties: 'x' }, ['properties']],
    ])('%s', async (_what, body, names) => {
      expect(await refusedOf(await server.send('POST', items, body))).toEqual(names)
    })

    it.each<[what: string, body: unknown, names: string[]]>([
      ['another id', { id: 'pump' }, ['id']],
      ['another version', { properties: { version: 7 } }, ['version']],
      [
        'what follows from its maintenance',
        { properties: { lastMaintenance: '2026-01-01' } },
        ['lastMaintenance'],
      ],
      ['an unknown property', { properties: { colour: null } }, ['colour']],
      ['another shape', { geometry: square(-111, 34, 0.1) }, ['geometry']],
      ['no shape any more', { geometry: null }, ['geometry']],
      ['no properties any more', { properties: null }, ['properties']],
      ['no name any more', { properties: { name: '' } }, ['name']],
    ])('in a change: %s', async (_what, body, names) => {
      expect(await refusedOf(await server.send('PATCH', tank, body))).toEqual(names)
      expect((await server.send('GET', tank)).headers.etag).toBe('"1"')
    })

    it('unknown, foreign and read-only features', async () => {
      const { send } = server
      for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
        const body = method === 'DELETE' ? undefined : feature({ name: 'x' })
        for (const id of ['road', 'nowhere', '%00'])
          expectProblem(await send(method, `${items}/${id}`, body), 404)
        expectProblem(await send(method, items, body), 405)
        expectProblem(await send(method, '/ogc/oak-hills/collections/houses/items/tank', body), 404)
      }
      expectProblem(await send('POST', tank, feature({})), 405)
      expectProblem(await send('POST', items, undefined), 400)
      for (const [method, url] of [
        ['POST', items],
        ['PUT', tank],
        ['PATCH', tank],
      ] as const) {
        expectProblem(await send(method, url, {}, { 'content-type': 'application/gml+xml' }), 415)
        expectProblem(await send(method, url, { id: 'x'.repeat(3_000_000) }), 413)
      }
    })
  })

  it('are rejected if the client saw another version', async () => {
    const { send } = await start()
    const etag = String((await send('GET', tank)).headers.etag)
    const first = await send('PATCH', tank, { properties: { description: 'New' } }, { 'if-match': etag })
    expect(first.statusCode).toBe(200)
    expectProblem(await send('PATCH', tank, { properties: { description: '' } }, { 'if-match': etag }), 412)
    expectProblem(await send('PUT', tank, feature({ name: 'x' }), { 'if-match': etag }), 412)
    expectProblem(await send('DELETE', tank, undefined, { 'if-match': etag }), 412)
    expectProblem(await send('DELETE', tank, undefined, { 'if-match': '' }), 428)
    const last = await send('DELETE', tank, undefined, { 'if-match': String(first.headers.etag) })
    expect(last.statusCode).toBe(204)
  })

  // The last one deletes the tank.
  describe('are allowed for editors', () => {
    it('with tokens of the scope write, not read', async () => {
      const { bearer: reading } = await makeToken(server.database, { scopes: ['read'] })
      const { headers } = await server.app.send({ method: 'OPTIONS', url: items, headers: reading })
      expect(headers.allow).toBe('GET, HEAD, OPTIONS')
      const answer = await server.app.send({ method: 'DELETE', url: tank, headers: reading })
      expect(expectProblem(answer, 403).detail).toContain("'write'")
    })

    it('except on the sample map', async () => {
      const url = items.replace('oak-hills', 'sample')
      const staff = await signIn(server.database)
      const options = await server.app.send({ method: 'OPTIONS', url, headers: staff })
      expect(options.headers.allow).toBe('GET, HEAD, OPTIONS')
      const added = await server.app.send({ method: 'POST', url, headers: staff, payload: feature({}) })
      expectProblem(added, 403)
    })

    it.each<[who: string, claim: unknown, isEditor: boolean]>([
      ['a visitor', null, false],
      ['a user without a role', [], false],
      ['an editor of another map', ['editor:elm-park'], false],
      ['an editor', ['editor:oak-hills'], true],
    ])('%s', async (_who, claim, isEditor) => {
      const headers: Record<string, string> = claim === null ? {} : await signIn(server.database, claim)
      const allowedAt = async (url: string) =>
        (await server.app.send({ method: 'OPTIONS', url, headers })).headers.allow
      expect(await allowedAt(items)).toBe(isEditor ? 'GET, HEAD, OPTIONS, POST' : 'GET, HEAD, OPTIONS')
      expect(await allowedAt(lot)).toBe(`GET, HEAD, OPTIONS${isEditor ? ', PUT, PATCH, DELETE' : ''}`)
      expect(await allowedAt('/ogc/oak-hills')).toBe('GET, HEAD, OPTIONS')
      for (const [method, url] of [
        ['POST', items],
        ['PUT', tank],
        ['PATCH', tank],
        ['DELETE', tank],
      ] as const) {
        const answer = await server.app.send({ method, url, headers, payload: {} })
        if (isEditor) expect([200, 204, 400], method).toContain(answer.statusCode)
        else expectProblem(answer, claim === null ? 401 : 403)
      }
    })
  })
})
