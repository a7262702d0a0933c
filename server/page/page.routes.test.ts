import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { makeStubPage, stubScript } from '#test/page/stub-page.ts'
import { type SignedIn, signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

const page = makeStubPage()
afterAll(() => page.remove())

onEngine('sqlite', 'the page', (createDatabase) => {
  let app: TestApp
  let staff: SignedIn
  beforeAll(async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    staff = await signIn(database)
    app = await startTestApp(database, { pageDirectory: page.folder })
  })
  afterAll(() => app.close())

  it.each([
    '/',
    '/?tab=assets',
    '/map',
    '/map/oak-hills',
    '/config/map/oak-hills/configuration',
    '/webgl',
    '/no/such/place',
    '/apis',
    '/index.html',
    '/map/caf%C3%A9',
    `/map/${'x'.repeat(1000)}`,
  ])('is the response to %s', async (url) => {
    const answer = await app.get(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    })
    expect(answer.body).toContain('<title>POA</title>')
    expect(answer.body).not.toContain('__NONCE__')
  })

  it('has a new nonce each time, as in its policy', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.get('/')))
    const nonces = answers.map(({ body }) => /content="([^"]+)"/.exec(body)?.[1] ?? '')
    expect(new Set(nonces).size).toBe(5)
    for (const [index, answer] of answers.entries()) {
      expect(nonces[index]).toMatch(/^[\w+/=-]{16,}$/)
      expect(answer.headers['content-security-policy']).toMatch(
        new RegExp(`style-src 'self' 'nonce-${nonces[index]?.replace(/[+/]/g, '\\$&')}'`),
      )
    }
  })

  it('answers HEAD without a body', async () => {
    const answer = await app.send({ method: 'HEAD', url: '/map/oak-hills' })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('')
  })

  it('has files that are cached forever, and others that are revalidated', async () => {
    const script = await app.get('/assets/page-1a2b3c.js')
    expect(script.body).toBe(stubScript)
    expect(script.headers).toMatchObject({
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const gzipped = await app.get('/assets/page-1a2b3c.js', { 'accept-encoding': 'gzip' })
    expect(gzipped.headers['content-encoding']).toBe('gzip')
    expect(gzipped.rawPayload.length).toBeLessThan(stubScript.length)
    const icon = await app.get('/favicon.svg')
    expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' })
  })

  it('has a service worker that is revalidated and names the base maps', async () => {
    const worker = await app.get('/service-worker.js')
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    })
    const [, origins] = /^self\.tileOrigins = (.*);\nconst worker = 1\n$/.exec(worker.body) ?? []
    expect(JSON.parse(origins ?? '')).toContain('https://server.arcgisonline.com')
  })

  it('can be installed as the app of an association', async () => {
    const [, href = ''] =
      /<link rel="manifest" href="(.*?)">/.exec((await app.get('/map/oak-hills')).body) ?? []
    const manifest = await app.get(href)
    expect(manifest.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    expect(JSON.parse(manifest.body)).toMatchObject({
      id: '/map/oak-hills',
      name: 'Oak Hills',
      start_url: '/map/oak-hills',
      display: 'standalone',
      icons: [{ sizes: '192x192' }, { sizes: '512x512' }, { purpose: 'maskable' }],
    })
    expectProblem(await app.get('/manifest/no-such-map.webmanifest'), 404)
    expectProblem(await app.get('/manifest/No%20id.webmanifest'), 400)
    expect((await app.get('/config')).body).not.toContain('rel="manifest"')
  })

  describe('is not returned for', () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
    it.each(methods)('%s below /api, /health and /assets', async (method) => {
      for (const url of [
        '/api',
        '/api/',
        '/api/nothing',
        '/api?a=1',
        '/health',
        '/health/x',
        '/assets/no.js',
      ]) {
        const answer = await app.send({ method, url })
        expect(answer.statusCode, url).toBe(404)
        if (method !== 'HEAD') expectProblem(answer, 404)
      }
    })

    it.each(methods.filter((method) => method !== 'GET' && method !== 'HEAD'))(
      '%s elsewhere',
      async (method) => {
        for (const url of [
          '/',
          '/map/oak-hills',
          '/api/settings',
          '/api/maps/oak-hills/counts',
          '/health/live',
        ])
          expectProblem(await app.send({ method, url }), 404)
      },
    )

    it.each<InjectOptions>([
      { payload: { name: 'x' } },
      { payload: 'not json', headers: { 'content-type': 'application/json' } },
      { payload: '', headers: { 'content-type': 'application/json' } },
      { payload: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { payload: '<a/>', headers: { 'content-type': 'no such type' } },
      { payload: 'x'.repeat(1_100_000), headers: { 'content-type': 'text/plain' } },
      {
        payload: JSON.stringify({ name: 'x'.repeat(1_100_000) }),
        headers: { 'content-type': 'application/json' },
      },
      {
        payload: `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
        headers: { 'content-type': 'application/json' },
      },
      { payload: '{"__proto__":{"a":1}}', headers: { 'content-type': 'application/json' } },
    ])('an unexpected body %#', async (request) => {
      const headers = { ...staff, ...request.headers }
      const answer = await app.send({ method: 'POST', url: '/api/clients', ...request, headers })
      expectProblem(answer, answer.statusCode)
      expect([400, 404, 413, 415]).toContain(answer.statusCode)
    })
  })
})

onEngine('sqlite', 'without a built page', (createDatabase) => {
  it('an unknown address returns a problem', async () => {
    await using app = await startTestApp(await createDatabase())
    for (const url of ['/', '/map', '/api/nothing']) expectProblem(await app.get(url), 404)
  })
})
