import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, anIncident, aParcel, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { faultyBodies, faultyQueries, geoJsonFeature } from '#test/random/hostile-faults.ts'
import { hostileBodies, hostileQueries } from '#test/random/hostile-sizes.ts'
import { isLong, timeLimit } from '#test/random/how-much.ts'
import { measureDelay } from '#test/server/event-loop-delay.ts'
import { type SignedIn, signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { bytes } from './http/octet-stream.ts'

// Sends every route input that is too deep, too wide, too long or too complex. It must be answered or
// rejected without delaying other clients.

/**
 * More than a harmless request of the same process: 100 ms on a quiet machine, where the worst takes 60.
 * Processor time doubles if other processes use the same caches, and on a slow processor. Without its limits each request takes
 * seconds, or forever.
 */
const maxBusyMs = 500

type Route = {
  method: NonNullable<InjectOptions['method']>
  url: string
  body: z.ZodType | undefined
  query: z.ZodType | undefined
  maxBytes: number
}

onEngine('sqlite', 'a request of hostile size', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  let staff: SignedIn
  let idleMs = 0
  const routes: Route[] = []
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      anAsset({ id: 'tank' }),
      anIncident({ id: 'smoke' }),
      aParcel({ id: 'lot' }),
    ])
    staff = await signIn(database)
    app = await startTestApp(database, {
      onRoute: ({ method, url, schema = {}, bodyLimit = 2 ** 20 }) => {
        if (!/^\/(api|ogc)(\/|$)/.test(url) || url === '/api/events' || url.startsWith('/api/docs')) return
        for (const one of [method].flat())
          if (one !== 'HEAD' && one !== 'OPTIONS' && (one !== 'DELETE' || schema.body))
            routes.push({
              method: one as Route['method'],
              url,
              body: schema.body instanceof z.ZodType ? schema.body : ogcBody(one, url),
              query: schema.querystring instanceof z.ZodType ? schema.querystring : undefined,
              maxBytes: bodyLimit,
            })
      },
    })
    await app.get('/api/openapi.json')
    for (const { requests } of [...hostileQueries, ...hostileBodies(80)])
      for (const request of requests) await send(request)
    const { busyMs } = await measureDelay(() => app.get('/api/maps/oak-hills'))
    idleMs = busyMs
  })
  afterAll(() => app.close())
  // A request that is rejected for missing rights or a missing resource proves nothing.
  afterEach(async () => {
    expect((await send({ method: 'GET', url: '/api/session' })).json().person).not.toBeNull()
    expect((await send({ method: 'GET', url: '/api/maps/oak-hills/features/tank' })).statusCode).toBe(200)
  })

  it.each(hostileQueries)('answers quickly: a query with $what', ({ requests }) => expectQuick(requests))

  it.each(hostileBodies())('answers quickly: a body with $what', ({ requests }) => expectQuick(requests))

  it(
    'answers quickly on every route: deep, wide and long bodies and queries',
    async () => {
      expect(routes.length).toBeGreaterThan(100)
      const values = {
        deep: `{"a":${'['.repeat(100_000)}`,
        wide: JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key${at}`, at]))),
        long: JSON.stringify({ id: 'x'.repeat(900_000), name: 'x'.repeat(100_000) }),
        list: JSON.stringify({ items: Array(100_000).fill(0), ids: Array(100_000).fill('x') }),
      }
      const query = ['text', 'filter', 'bbox', 'after', 'kind', 'ids', 'columns', 'fields']
        .map((name) => `${name}=${encodeURIComponent('a,(%'.repeat(200))}`)
        .join('&')
      const requests = routes.flatMap(({ method, url }): InjectOptions[] => {
        const path = pathOf(url)
        if (method === 'GET') return [{ method, url: `${path}?${query}` }]
        return Object.values(values).map((payload) => ({ method, url: path, payload }))
      })
      await expectQuick(requests)
    },
    timeLimit(120_000),
  )

  it(
    'answers quickly on every route: queries with thousands of faults',
    async () => {
      const requests = routes.flatMap(({ method, url, query }) =>
        faultyQueries(query).map((faulty): InjectOptions => ({ method, url: `${pathOf(url)}?${faulty}` })),
      )
      expect(requests.length).toBeGreaterThan(200)
      await expectQuick(requests)
    },
    timeLimit(120_000),
  )

  it(
    'answers quickly on every route: bodies with thousands of faults',
    async () => {
      let count = 0
      // Routes with the same body validate it the same way.
      const bodies = new Map(routes.map((route) => [route.body, route]))
      const done = new Set<string>()
      for (const { method, url, body, maxBytes } of bodies.values())
        for (const payload of faultyBodies(body, maxBytes, isLong ? new Set() : done)) {
          count++
          await expectQuick([{ method, url: pathOf(url), payload }])
        }
      expect(count).toBeGreaterThan(300)
    },
    timeLimit(300_000),
  )

  it('answers quickly on every route: bytes, as many as it takes', async () => {
    const byteRoutes = routes.filter(({ body }) => body === bytes)
    expect(byteRoutes.length).toBeGreaterThan(1)
    for (const { method, url, maxBytes } of byteRoutes) {
      const headers = { ...staff, 'content-type': 'application/octet-stream' }
      const request = { method, url: `${pathOf(url)}?offset=0`, payload: Buffer.alloc(maxBytes, 7), headers }
      const { answer, busyMs } = await measureDelay(() => app.send(request))
      expect([400, 404]).toContain(answer.statusCode)
      expect(busyMs - idleMs).toBeLessThan(maxBusyMs)
    }
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('limits the bytes of a body after unpacking: %s', async (encoding, compress) => {
    const payload = compress(Buffer.alloc(50 * 2 ** 20, ' '))
    expect(payload.length).toBeLessThan(100_000)
    const headers = { ...staff, 'content-type': 'application/json', 'content-encoding': encoding }
    const request = { method: 'POST', url: '/api/maps/oak-hills/features', payload, headers } as const
    const { answer, busyMs } = await measureDelay(() => app.send(request))
    expectProblem(answer, 413)
    expect(busyMs - idleMs).toBeLessThan(maxBusyMs)
  })

  it.each([
    ['more values', `[${'0,'.repeat(300_000)}0]`, 'The body has more than 300,000 values.'],
    [
      'more keys of an object',
      `[{${'"a":0,'.repeat(10_000)}"b":0}]`,
      'The body has an object with more than 10,000 keys.',
    ],
    ['more levels', '['.repeat(33), 'The body is nested more than 32 levels deep.'],
  ])('rejects a body with %s than allowed', async (_, payload, detail) => {
    const request = { method: 'POST', url: '/api/maps/oak-hills/features', payload } as const
    expect(expectProblem(await send(request), 400).detail).toBe(detail)
  })

  it('describes the first of thousands of faults, and cuts long keys', async () => {
    const coordinates = Array.from({ length: 20_000 }, () => ['x', 0])
    const shape = { kind: 'asset', geometry: { type: 'MultiPoint', coordinates } }
    const request = {
      method: 'POST',
      url: '/api/maps/oak-hills/shape-check',
      payload: JSON.stringify(shape),
    } as const
    const { errors } = expectProblem(await send(request), 400)
    expect(errors).toHaveLength(50)
    expect(errors?.[0]).toMatchObject({ in: 'body', name: 'geometry.coordinates.0.0' })
    const patch = { method: 'PATCH', url: '/api/maps/oak-hills/features/tank' } as const
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`${at}${'x'.repeat(100)}`, at]))
    expect(expectProblem(await send({ ...patch, payload: JSON.stringify(many) }), 400).errors).toHaveLength(
      50,
    )
    const long = { ['x'.repeat(100_000)]: 1 }
    expect((await send({ ...patch, payload: JSON.stringify(long) })).body.length).toBeLessThan(10_000)
  })

  /** Other methods of OGC's resources are not allowed. */
  const ogcBody = (method: string, url: string) =>
    /^(POST .*\/items|(PUT|PATCH) .*\/items\/:featureId)$/.test(`${method} ${url}`)
      ? geoJsonFeature.clone()
      : undefined

  const pathOf = (url: string) =>
    url
      .replace(':mapId', 'oak-hills')
      .replace(':id', 'tank')
      .replace(':collectionId', 'parcels')
      .replace(':featureId', 'lot')
      .replace(/:[xyz]/g, '0')
      .replace(/:\w+|\*/g, 'x')

  async function expectQuick(requests: readonly InjectOptions[]) {
    const slow: string[] = []
    for (const request of requests) {
      const { answer, busyMs } = await measureDelay(() => send(request))
      const what = `${request.method} ${String(request.url).slice(0, 150)} ${String(request.payload ?? '').slice(0, 80)}: ${answer.statusCode}`
      expect(answer.statusCode, `${what} ${answer.body.slice(0, 300)}`).not.toBe(500)
      const extraMs = busyMs - idleMs
      if (extraMs > maxBusyMs) slow.push(`${what}, ${Math.round(extraMs)} ms`)
    }
    expect(slow).toEqual([])
  }

  function send({ payload, ...request }: InjectOptions) {
    const isText = payload !== undefined
    const headers = { ...staff, 'if-match': '*', ...(isText ? { 'content-type': 'application/json' } : {}) }
    return app.send({ ...request, headers, ...(isText ? { payload } : {}) })
  }
})
