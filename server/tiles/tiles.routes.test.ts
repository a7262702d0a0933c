import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/database/open-database.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  home,
  point,
  storeChange,
  storeClient,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { decodeTile } from '#test/server/decode-tile.ts'
import { expectBadParameter, startTestApp, type TestApp } from '#test/server/test-app.ts'

const tile = '/api/maps/oak-hills/tiles/15/6272/13084.mvt'
const farTile = '/api/maps/oak-hills/tiles/15/1/2.mvt'
const worldTile = '/api/maps/oak-hills/tiles/0/0/0.mvt'

onEachEngine('tiles', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(
      database,
      Array.from({ length: 100 }, (_, index) => {
        const [right, down] = [index % 10, Math.floor(index / 10)]
        return anAsset({
          id: `asset-${index}`,
          geometry: point(home.lng + right / 4_000, home.lat - down / 4_000),
        })
      }),
    )
    return { database, app: await startTestApp(database) }
  }

  it('are the same bytes, gzipped or not', async () => {
    const { app } = await start()
    await using _ = app
    const plain = await app.get(tile)
    expect(plain.statusCode).toBe(200)
    expect(plain.headers).toMatchObject({
      'content-type': 'application/vnd.mapbox-vector-tile',
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      vary: expect.stringContaining('accept-encoding'),
      'content-length': String(plain.rawPayload.length),
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(decodeTile(plain.rawPayload)).toHaveLength(100)

    for (const accepted of ['gzip', 'br, GZIP;q=0.5', 'gzip, deflate, br, zstd', '*']) {
      const gzipped = await app.get(tile, { 'accept-encoding': accepted })
      expect(gzipped.headers['content-encoding'], accepted).toBe('gzip')
      expect(gunzipSync(gzipped.rawPayload).equals(plain.rawPayload)).toBe(true)
      expect(gzipped.headers.etag).toBe(plain.headers.etag)
    }
    for (const accepted of ['identity', 'gzip;q=0', 'gzip; q=0.000, identity', 'br', 'not-gzip', '']) {
      const other = await app.get(tile, { 'accept-encoding': accepted })
      expect(other.headers['content-encoding'], accepted).toBeUndefined()
      expect(other.rawPayload.equals(plain.rawPayload)).toBe(true)
    }
  })

  it('are empty if no features are visible', async () => {
    const { app } = await start()
    await using _ = app
    const answer = await app.get(farTile)
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload).toHaveLength(0)
  })

  it('are answered with a 304 while they are unchanged', async () => {
    const { app } = await start()
    await using _ = app
    const etag = String((await app.get(tile)).headers.etag)
    const strong = etag.replace('W/', '')
    for (const cached of [etag, strong, `"other", ${etag}`, `${strong},"other"`, '*']) {
      const answer = await app.get(tile, { 'if-none-match': cached, 'accept-encoding': 'gzip' })
      expect(answer.statusCode, cached).toBe(304)
      expect(answer.rawPayload).toHaveLength(0)
      expect(answer.headers).toMatchObject({ etag, 'cache-control': 'no-cache' })
    }
    for (const unknown of ['"other"', '', 'W/""', etag.slice(0, -2)])
      expect((await app.get(tile, { 'if-none-match': unknown })).statusCode, unknown).toBe(200)
  })

  it('have an ETag by content: equal in another process, different for another filter', async () => {
    const { database, app } = await start()
    await using _ = app
    await using second = await startTestApp(database)
    const etagOf = async (from: typeof app, url: string) => (await from.get(url)).headers.etag
    expect(await etagOf(second, tile)).toBe(await etagOf(app, tile))
    expect(await etagOf(app, `${tile}?type=road`)).not.toBe(await etagOf(app, tile))
    expect(await etagOf(app, worldTile)).not.toBe(await etagOf(app, tile))
  })

  it('are made again after a change by another process, only at its location', async () => {
    const { app, database } = await start()
    await using _ = app
    await storeMap(database, 'other')
    const other = await openDatabase(database.location)
    const before = await app.get(tile)
    const farBefore = await app.get(farTile)
    expect(decodeTile((await app.get(worldTile)).rawPayload)).toHaveLength(1)

    const [lng, lat] = [home.lng, home.lat - 0.003]
    const extent = { west: lng, south: lat, east: lng, north: lat }
    await storeChange(other, 'oak-hills', [anAsset({ id: 'late', geometry: point(lng, lat) })], extent)
    await storeFeatures(other, [anAsset({ id: 'unannounced', geometry: point(-179.98, 85.049) })])
    await app.changes.poll()
    const after = await app.get(tile, { 'if-none-match': String(before.headers.etag) })
    expect(after.statusCode).toBe(200)
    expect(decodeTile(after.rawPayload).map(({ tags }) => tags.id)).toContain('late')
    expect(decodeTile((await app.get(worldTile)).rawPayload)).toHaveLength(2)
    expect((await app.get(farTile)).headers.etag).toBe(farBefore.headers.etag)

    await storeChange(other, 'other', [], null)
    await app.changes.poll()
    expect((await app.get(farTile)).headers.etag).toBe(farBefore.headers.etag)
    await storeChange(other, 'oak-hills', [], null)
    await app.changes.poll()
    expect(decodeTile((await app.get(farTile)).rawPayload)).toHaveLength(1)
    await other.close()
  })

  it('are made once for concurrent requests', async () => {
    const { app } = await start()
    await using _ = app
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.get(tile)))
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1)
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
  })

  describe('reject', () => {
    let app: TestApp
    beforeAll(async () => {
      app = await startTestApp(await createDatabase())
    })
    afterAll(() => app.close())

    it.each([
      ['18/0/0', 'path', 'z'],
      ['-1/0/0', 'path', 'z'],
      ['a/0/0', 'path', 'z'],
      ['1.5/0/0', 'path', 'z'],
      ['1e1/0/0', 'path', 'z'],
      ['%20/0/0', 'path', 'z'],
      ['3/8/0', 'path', 'x'],
      ['3/-1/0', 'path', 'x'],
      ['3/1e400/0', 'path', 'x'],
      ['0/1/0', 'path', 'x'],
      ['3/0/8', 'path', 'y'],
      ['17/0/131072', 'path', 'y'],
      ['3/0/0x1', 'path', 'y'],
    ] as const)('%s', async (address, place, name) => {
      expectBadParameter(await app.get(`/api/maps/oak-hills/tiles/${address}.mvt`), place, name)
    })

    it.each([
      ['kind=tree', 'kind.0'],
      ['type=fire,tree', 'type.1'],
      ['since=2026-02-30', 'since'],
      ['since=', 'since'],
      ['text=a', 'text'],
      ['since=2026-01-01&since=2026-01-02', 'since'],
    ])('%s', async (query, name) => {
      expectBadParameter(await app.get(`${worldTile}?${query}`), 'query', name)
    })
  })

  it('are described by TileJSON', async () => {
    const { database, app } = await start()
    await using _ = app
    await storeFeatures(database, [anAsset({ geometry: point(-112, 33) })])
    const answer = await app.get('/api/maps/oak-hills/tiles.json', { host: '127.0.0.1:8080' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    const fields = expect.objectContaining({ id: 'String', shape: 'String' })
    expect(answer.json()).toEqual({
      tilejson: '3.0.0',
      name: 'Oak Hills',
      tiles: ['http://127.0.0.1:8080/api/maps/oak-hills/tiles/{z}/{x}/{y}.mvt'],
      minzoom: 0,
      maxzoom: 17,
      bounds: [-112, 33, home.lng + 9 / 4_000, home.lat],
      vector_layers: ['incidents', 'assets', 'parcels', 'incident_areas'].map((id) => ({ id, fields })),
    })
    const settings = { PUBLIC_URL: 'https://land.example', ALLOWED_HOSTS: 'land.internal' }
    await using published = await startTestApp(database, { settings })
    for (const host of ['land.example', 'land.internal:8080', 'localhost:3000']) {
      const { tiles } = (await published.get('/api/maps/oak-hills/tiles.json', { host })).json()
      expect(tiles).toEqual(['https://land.example/api/maps/oak-hills/tiles/{z}/{x}/{y}.mvt'])
    }
    await storeMap(database, 'sample')
    const emptyMap = await app.getJson<Record<string, unknown>>('/api/maps/sample/tiles.json')
    expect(emptyMap.name).toBe('sample')
    expect(emptyMap.bounds).toBeUndefined()
  })
})
