import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AccessRule, isAllowed, rolesOfClaim } from '#domain/access/access.ts'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp, type TestApp } from '#test/server/test-app.ts'

// Sends every route as every user: the answer is 401 or 403 exactly if the rule of the route says so. Access
// is decided before the request is read, so invalid requests are enough.

type Route = { method: string; url: string; rule: AccessRule | undefined; isFromAnywhere: boolean }

const people: Record<string, unknown> = {
  visitor: null,
  'signed in without a role': [],
  'editor of another map': ['editor:elm-park'],
  'manager of another map': ['manager:elm-park'],
  editor: ['editor:oak-hills'],
  manager: ['manager:oak-hills'],
  administrator: 'administrator',
}

/** Each requires the key of a report, subscription or work link, or an access token (Open311), except a challenge and a new report or subscription. */
const changesByVisitors = [
  'POST /api/maps/:mapId/reports/challenge',
  'POST /api/maps/:mapId/reports',
  'PATCH /api/maps/:mapId/reports/:id/own',
  'POST /api/maps/:mapId/reports/:id/own/withdraw',
  'POST /api/maps/:mapId/reports/:id/photos',
  'PUT /api/maps/:mapId/reports/:id/photos/:photoId',
  'POST /api/maps/:mapId/reports/:id/own/comments',
  'POST /api/maps/:mapId/reports/:id/own/end-emails',
  'POST /api/maps/:mapId/reports/:id/confirm',
  'POST /api/maps/:mapId/reports/:id/unsubscribe',
  'POST /api/maps/:mapId/subscriptions',
  'POST /api/maps/:mapId/subscriptions/:id/confirm',
  'PATCH /api/maps/:mapId/subscriptions/:id/own/:itemId',
  'POST /api/maps/:mapId/subscriptions/:id/own/:itemId/end',
  'POST /api/maps/:mapId/subscriptions/:id/end-all',
  'POST /api/maps/:mapId/subscriptions/:id/unsubscribe',
  'POST /api/maps/:mapId/open311/v2/requests.:format',
  'POST /api/mail/bounces',
  'POST /api/maps/:mapId/work-links/:linkId/steps',
  'POST /api/maps/:mapId/work-links/:linkId/photos',
  'PUT /api/maps/:mapId/work-links/:linkId/photos/:photoId',
]

/** Repeats the rules, so that loosening one needs two edits. Other routes are public. */
const expectedRules: Record<string, AccessRule> = {
  'GET /api/people': 'administrator',
  'POST /api/clients': 'administrator',
  'PATCH /api/clients/:mapId': 'manager',
  'POST /api/clients/:mapId/archive': 'administrator',
  'POST /api/clients/:mapId/restore': 'administrator',
  'GET /api/maps/:mapId/tokens': 'manager',
  'DELETE /api/maps/:mapId/tokens/:id': 'manager',
  'PUT /api/maps/:mapId/configuration': 'manager',
  'DELETE /api/maps/:mapId/configuration': 'manager',
  'POST /api/maps/:mapId/configuration/restore': 'manager',
  'GET /api/maps/:mapId/configuration/versions': 'staff',
  'POST /api/maps/:mapId/features': 'editor',
  'POST /api/maps/:mapId/shape-check': 'editor',
  'POST /api/maps/:mapId/features/changes': 'editor',
  'PATCH /api/maps/:mapId/features/:id': 'editor',
  'DELETE /api/maps/:mapId/features/:id': 'editor',
  'PUT /api/maps/:mapId/features/:id/status': 'editor',
  'GET /api/maps/:mapId/features/:id/history': 'staff',
  'GET /api/maps/:mapId/features/:id/lineage': 'staff',
  'PUT /api/maps/:mapId/features/:id/open-pages/:pageId': 'staff',
  'DELETE /api/maps/:mapId/features/:id/open-pages/:pageId': 'staff',
  'POST /api/maps/:mapId/features/:id/restore': 'editor',
  'GET /api/maps/:mapId/due-maintenance': 'staff',
  'GET /api/maps/:mapId/maintenance-calendar': 'manager',
  'POST /api/maps/:mapId/maintenance-calendar': 'manager',
  'DELETE /api/maps/:mapId/maintenance-calendar': 'manager',
  'GET /api/maps/:mapId/webhooks': 'manager',
  'POST /api/maps/:mapId/webhooks': 'manager',
  'PUT /api/maps/:mapId/webhooks/:id': 'manager',
  'DELETE /api/maps/:mapId/webhooks/:id': 'manager',
  'POST /api/maps/:mapId/webhooks/:id/secret': 'manager',
  'POST /api/maps/:mapId/webhooks/:id/test': 'manager',
  'GET /api/maps/:mapId/webhooks/:id/deliveries': 'manager',
  'POST /api/maps/:mapId/webhooks/:id/deliveries/:deliveryId/repeat': 'manager',
  'GET /api/maps/:mapId/features/:id/maintenance': 'staff',
  'POST /api/maps/:mapId/features/:id/maintenance': 'editor',
  'PATCH /api/maps/:mapId/features/:id/maintenance/:entryId': 'editor',
  'DELETE /api/maps/:mapId/features/:id/maintenance/:entryId': 'editor',
  'POST /api/maps/:mapId/changes/:changeId/undo': 'editor',
  'POST /api/maps/:mapId/features-within': 'editor',
  'GET /api/maps/:mapId/shapes': 'editor',
  'GET /api/maps/:mapId/parcels-as-of': 'staff',
  'GET /api/maps/:mapId/land-check': 'editor',
  'POST /api/maps/:mapId/land-check': 'editor',
  'DELETE /api/maps/:mapId/land-check': 'editor',
  'POST /api/maps/:mapId/export': 'staff',
  'POST /api/maps/:mapId/exports': 'staff',
  'GET /api/maps/:mapId/exports': 'staff',
  'GET /api/maps/:mapId/exports/:id': 'staff',
  'GET /api/maps/:mapId/exports/:id/file': 'staff',
  'DELETE /api/maps/:mapId/exports/:id': 'staff',
  'POST /api/maps/:mapId/report-settings/test-email': 'manager',
  'POST /api/maps/:mapId/notices': 'editor',
  'POST /api/maps/:mapId/notices/preview': 'editor',
  'POST /api/maps/:mapId/bulk-changes': 'editor',
  'POST /api/maps/:mapId/bulk-changes/preview': 'editor',
  'GET /api/maps/:mapId/bulk-changes/:id': 'staff',
  'PUT /api/maps/:mapId/fields': 'manager',
  'POST /api/maps/:mapId/bulk-changes/:id/cancel': 'editor',
  'POST /api/maps/:mapId/bulk-changes/:id/undo': 'editor',
  'DELETE /api/maps/:mapId/jobs/:id': 'administrator',
  'GET /api/maps/:mapId/removed-features': 'staff',
  'POST /api/maps/:mapId/removed-features/:id/put-back': 'editor',
  'POST /api/maps/:mapId/uploads': 'editor',
  'GET /api/maps/:mapId/uploads/:id': 'editor',
  'PUT /api/maps/:mapId/uploads/:id': 'editor',
  'PATCH /api/maps/:mapId/files/:id': 'editor',
  'DELETE /api/maps/:mapId/files/:id': 'editor',
  'POST /api/maps/:mapId/files/:id/put-back': 'editor',
  'POST /api/maps/:mapId/files/:id/redact': 'editor',
  'POST /api/maps/:mapId/files/:id/undo-redaction': 'editor',
  'GET /api/maps/:mapId/reports': 'editor',
  'PATCH /api/maps/:mapId/reports/:id': 'editor',
  'PUT /api/maps/:mapId/reports/:id/decision': 'editor',
  'GET /api/maps/:mapId/blocked-senders': 'editor',
  'PUT /api/maps/:mapId/reports/:id/block': 'editor',
  'DELETE /api/maps/:mapId/reports/:id/block': 'editor',
  'GET /api/maps/:mapId/report-settings': 'staff',
  'PUT /api/maps/:mapId/report-settings': 'manager',
  'GET /api/maps/:mapId/work': 'staff',
  'POST /api/maps/:mapId/incidents/:id/work': 'editor',
  'PATCH /api/maps/:mapId/incidents/:id/notes/:noteId': 'editor',
  'DELETE /api/maps/:mapId/incidents/:id/notes/:noteId': 'editor',
  'POST /api/maps/:mapId/incidents/:id/merge': 'editor',
  'POST /api/maps/:mapId/incidents/:id/undo-merge': 'editor',
  'POST /api/maps/:mapId/incidents/:id/work-links': 'editor',
  'GET /api/maps/:mapId/incidents/:id/work-links': 'editor',
  'POST /api/maps/:mapId/incidents/:id/work-links/:linkId/revoke': 'editor',
  'POST /api/maps/:mapId/import-drafts': 'editor',
  'GET /api/maps/:mapId/import-drafts': 'editor',
  'GET /api/maps/:mapId/import-drafts/:id': 'editor',
  'DELETE /api/maps/:mapId/import-drafts/:id': 'editor',
  'PUT /api/maps/:mapId/import-drafts/:id/files/:index': 'editor',
  'PATCH /api/maps/:mapId/import-drafts/:id/settings': 'editor',
  'POST /api/maps/:mapId/import-drafts/:id/try': 'editor',
  'POST /api/maps/:mapId/import-drafts/:id/import': 'editor',
  'POST /api/maps/:mapId/import-drafts/:id/undo': 'editor',
  'POST /api/maps/:mapId/import-drafts/:id/cancel': 'editor',
  'GET /api/maps/:mapId/import-drafts/:id/sample': 'editor',
  'GET /api/maps/:mapId/import-drafts/:id/trial': 'editor',
  'GET /api/maps/:mapId/import-drafts/:id/trial/places': 'editor',
  'GET /api/maps/:mapId/import-drafts/:id/trial/refused': 'editor',
  'GET /api/maps/:mapId/metadata-names': 'staff',
  'GET /api/maps/:mapId/drawings': 'staff',
  'GET /api/maps/:mapId/drawings/export': 'staff',
  'GET /api/maps/:mapId/reports/export': 'editor',
  'POST /api/maps/:mapId/drawings': 'editor',
  'DELETE /api/maps/:mapId/drawings': 'editor',
  'PUT /api/maps/:mapId/drawings/:id': 'editor',
  'DELETE /api/maps/:mapId/drawings/:id': 'editor',
  'POST /ogc/:mapId/collections/:collectionId/items': 'editor',
  'PUT /ogc/:mapId/collections/:collectionId/items/:featureId': 'editor',
  'PATCH /ogc/:mapId/collections/:collectionId/items/:featureId': 'editor',
  'DELETE /ogc/:mapId/collections/:collectionId/items/:featureId': 'editor',
  'GET /api/maps/:mapId/activity': 'staff',
  'PUT /api/maps/:mapId/activity/read': 'staff',
}

const isRefused = (method: string, url: string) =>
  /^\/ogc(\/|$)/.test(url) && !['GET', 'HEAD'].includes(method)

const pathOf = (url: string) =>
  url
    .replace(':mapId', 'oak-hills')
    .replace(':id', 'tank')
    .replace(/:[xyz]/g, '0')
    .replace(/:\w+|\*/g, 'x')

/** Identity providers sign their requests. Mail programs and clients of Open311 send a secret. */
const fromAnywhere = [
  '/sign-in/back-channel-logout',
  '/api/maps/:mapId/reports/:id/unsubscribe',
  '/stop-emails/:mapId/:id',
  '/api/maps/:mapId/subscriptions/:id/unsubscribe',
  '/api/maps/:mapId/open311/v2/requests.:format',
  '/api/mail/bounces',
]

onEngine('sqlite', 'access to every route', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  const routes: Route[] = []
  beforeAll(async () => {
    database = await createDatabase()
    for (const id of ['oak-hills', 'elm-park']) await storeClient(database, id)
    await storeFeatures(database, [anAsset({ id: 'tank' })])
    app = await startTestApp(database, {
      onRoute: ({ method, url, config }) => {
        const { access: rule, isFromAnywhere = false } = config ?? {}
        for (const one of [method].flat()) routes.push({ method: one, url, rule, isFromAnywhere })
      },
    })
  })
  afterAll(() => app.close())

  it('is rejected exactly as its rule says', async () => {
    expect(routes.length).toBeGreaterThan(30)
    for (const route of routes)
      for (const [who, claim] of Object.entries(people)) {
        const status = await ask(route, claim)
        const roles = claim === null ? null : rolesOfClaim(claim)
        const mapId = route.url.includes(':mapId') ? 'oak-hills' : undefined
        const what = `${route.method} ${route.url} by ${who}: ${status}`
        if (isAllowed(roles, route.rule ?? 'public', mapId)) expect([401, 403], what).not.toContain(status)
        else expect(status, what).toBe(claim === null ? 401 : 403)
      }
  }, 120_000)

  it('is rejected for a form of another site, with the cookie of an administrator', async () => {
    const { cookie } = await signIn(database)
    const headers = { cookie, origin: 'https://evil.example', 'content-type': 'text/plain' }
    const unsafe = routes.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
    expect(unsafe.length).toBeGreaterThan(30)
    for (const { method, url, isFromAnywhere } of unsafe) {
      const what = `${method} ${url}`
      expect(isFromAnywhere, what).toBe(fromAnywhere.includes(url))
      if (isFromAnywhere) continue
      const request = { method, url: pathOf(url), headers, payload: '{"name":"x"}' } as InjectOptions
      expect(expectProblem(await app.send(request), 403).detail, what).toMatch(/does not come from a page/)
    }
  })

  it('has a rule for each of our own routes', () => {
    const own = routes.filter(
      ({ url }) => /^\/(api|health|ogc)(\/|$)/.test(url) && !url.startsWith('/api/docs'),
    )
    for (const { method, url, rule } of own) expect(rule, `${method} ${url}`).toBeDefined()
  })

  it('follows the listed rules', () => {
    const ofMaps = routes.filter(({ url }) => /^\/(api\/(clients|maps|events|people)|ogc)/.test(url))
    for (const { method, url, rule } of ofMaps) {
      const asGet = method === 'HEAD' ? 'GET' : method
      expect(rule, `${method} ${url}`).toBe(expectedRules[`${asGet} ${url}`] ?? 'public')
      if (rule === 'public' && !isRefused(method, url) && !changesByVisitors.includes(`${method} ${url}`))
        expect(['GET', 'HEAD'], `${method} ${url}`).toContain(method)
    }
    const routeNames = new Set(ofMaps.map(({ method, url }) => `${method} ${url}`))
    for (const route of Object.keys(expectedRules)) expect(routeNames).toContain(route)
  })

  async function ask({ method, url }: Route, claim: unknown): Promise<number> {
    const headers = claim === null ? { 'sec-fetch-site': 'same-origin' } : await signIn(database, claim)
    const path = pathOf(url)
    const isEvents = url === '/api/events'
    const request = { method, url: isEvents ? `${path}?map=oak-hills` : path, headers } as InjectOptions
    if (!isEvents) return (await app.send(request)).statusCode
    const answer = await app.app.inject({ ...request, payloadAsStream: true })
    answer.stream().destroy()
    return answer.statusCode
  }
})

onEngine('sqlite', 'a route that requires more than its rule', (createDatabase) => {
  it.each([
    ['/api/clients?state=archived', 'administrator'],
    ['/api/clients?mine=true', 'signed-in'],
  ] as const)('%s', async (url, rule) => {
    const database = await createDatabase()
    await using app = await startTestApp(database)
    expectProblem(await app.get(url), 401)
    for (const claim of [[], ['manager:oak-hills'], 'administrator']) {
      const answer = await app.get(url, await signIn(database, claim))
      if (isAllowed(rolesOfClaim(claim), rule)) expect(answer.statusCode).toBe(200)
      else expectProblem(answer, 403)
    }
  })
})

it('fails at the start of a program that has a route without a rule', async () => {
  const { default: Fastify } = await import('fastify')
  const { registerAccess } = await import('./access.ts')
  const app = Fastify()
  await registerAccess(app, {} as Parameters<typeof registerAccess>[1])
  expect(() => app.get('/api/anything', async () => 'x')).toThrow(/\/api\/anything does not say who may ask/)
  expect(() => app.get('/map', async () => 'x')).not.toThrow()
})

onEngine('sqlite', 'the changes of one user', (createDatabase) => {
  it('do not delay those of other users', async () => {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [anAsset({ id: 'a' }), anAsset({ id: 'b' })])
    await using app = await startTestApp(database)
    const many = await signIn(database, 'administrator', { id: 'many' })
    const one = await signIn(database, 'administrator', { id: 'one' })
    const order: string[] = []
    const add = async (headers: Record<string, string>, name: string, count: number) => {
      const items = Array.from({ length: count }, (_, index) => {
        const { kind, type, ...feature } = anAsset({ id: `${name}-${index}` })
        return { action: 'add', feature: { kind, type, ...feature } }
      })
      const answer = await app.send({
        method: 'POST',
        url: '/api/maps/oak-hills/features/changes',
        headers,
        payload: { id: randomUUID(), items },
      })
      expect(answer.statusCode, answer.body).toBe(200)
      order.push(name)
    }
    const batches = Array.from({ length: 6 }, (_, index) => add(many, `batch-${index}`, 100))
    await Promise.all([...batches, add(one, 'single', 1)])
    expect(order.indexOf('single')).toBeLessThan(3)
  })
})
