import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#domain/clients/client.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { aParcel, point, square, storeChange, storeClient } from '#test/databases/feature-builders.ts'
import { expectBadParameter, expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255])

onEachEngine('thumbnails', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    const thumbnails = {
      plain: `data:image/svg+xml,${encodeURIComponent(svg)}`,
      base64: `data:image/png;base64,${png.toString('base64')}`,
      none: null,
      empty: null,
      page: 'data:text/html,<script>alert(1)</script>',
      elsewhere: 'https://example.com/a.png',
      broken: 'data:image/svg+xml,%zz',
    }
    for (const [id, thumbnail] of Object.entries(thumbnails)) await storeClient(database, id, { thumbnail })
    await storeClient(database, 'closed', { thumbnail: thumbnails.plain, archived: true })
    app = await startTestApp(database)
  })
  afterAll(() => app.close())

  it('has the URL in the client', async () => {
    const client = await app.getJson<Client>('/api/clients/plain')
    expect(client.thumbnail).toBe('/api/clients/plain/thumbnail')
    expect((await app.getJson<Client>('/api/clients/none')).thumbnail).toBeNull()
  })

  it('draws the parcels of a client without a thumbnail, and redraws them after a change', async () => {
    const pathsOf = (body: string) => body.match(/M[^MZ]*Z/g) ?? []
    const [one, other] = [square(-111, 34, 0.01), square(-110.99, 34, 0.01)]
    await storeChange(database, 'none', [aParcel({ mapId: 'none', geometry: one })])
    const { thumbnail } = await app.getJson<Client>('/api/clients/none')
    expect(thumbnail).toMatch(/^\/api\/clients\/none\/thumbnail\?land=\d+$/)
    const answer = await app.get(thumbnail as string)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
    expect(pathsOf(answer.body)).toEqual([expect.stringMatching(/^M\d+(\.\d)? 168L.* 12L.*Z$/)])
    await storeChange(database, 'none', [
      aParcel({ mapId: 'none', geometry: other }),
      aParcel({ mapId: 'none', geometry: point(-111, 34.01) }),
    ])
    const later = await app.getJson<Client>('/api/clients/none')
    expect(later.thumbnail).not.toBe(thumbnail)
    const { body } = await app.get('/api/clients/none/thumbnail')
    expect(pathsOf(body)).toHaveLength(2)
    expect(body.match(/<circle /g)).toHaveLength(1)
    expect((await app.get('/api/clients/plain/thumbnail')).body).toBe(svg)
  })

  it('cannot run scripts when it is opened directly', async () => {
    const answer = await app.get('/api/clients/plain/thumbnail')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe(svg)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
  })

  it('keeps the bytes of a binary picture', async () => {
    const answer = await app.get('/api/clients/base64/thumbnail')
    expect(answer.headers['content-type']).toBe('image/png')
    expect(answer.rawPayload.equals(png)).toBe(true)
  })

  it.each(['empty', 'closed', 'nobody', 'page', 'elsewhere', 'broken'])('is missing: %s', async (id) => {
    expectProblem(await app.get(`/api/clients/${id}/thumbnail`), 404)
  })

  it('rejects an invalid id', async () => {
    expectBadParameter(await app.get('/api/clients/A_B/thumbnail'), 'path', 'mapId')
  })
})
