import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AccessRule } from '#domain/access/access.ts'
import { type TokenScope, tokenScopes } from '#domain/access/api-token.schema.ts'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

const expectedScopes: Record<TokenScope | 'none', string[]> = {
  read: [
    'GET /api/openapi.json',
    'GET /api/settings',
    'GET /api/clients',
    'GET /api/clients/:mapId',

    'GET /api/clients/:mapId/thumbnail',
    'GET /api/maps/:mapId',
    'GET /api/maps/:mapId/configuration',
    'GET /api/maps/:mapId/counts',
    'GET /api/maps/:mapId/filter-counts',
    'GET /api/maps/:mapId/features',
    'GET /api/maps/:mapId/features/:id',
    'GET /api/maps/:mapId/features/:id/position',
    'GET /api/maps/:mapId/features/:id/history',
    'GET /api/maps/:mapId/features/:id/lineage',
    'GET /api/maps/:mapId/shapes',
    'GET /api/maps/:mapId/parcels-as-of',
    'GET /api/maps/:mapId/land-check',
    'GET /api/maps/:mapId/features/:id/maintenance',
    'GET /api/maps/:mapId/features/:id/files',
    'GET /api/maps/:mapId/files/:id/:version',
    'GET /api/maps/:mapId/reports',
    'GET /api/maps/:mapId/reports/similar',
    'GET /api/maps/:mapId/reports/:id/own',
    'GET /api/maps/:mapId/reports/:id/photos/:photoId/:version',
    'GET /api/maps/:mapId/subscriptions/:id',
    'GET /api/maps/:mapId/open311/v2/discovery.:format',
    'GET /api/maps/:mapId/open311/v2/services.:format',
    'GET /api/maps/:mapId/open311/v2/services/:code.:format',
    'GET /api/maps/:mapId/open311/v2/requests.:format',
    'GET /api/maps/:mapId/open311/v2/requests/:id.:format',
    'GET /api/maps/:mapId/report-form',
    'GET /api/maps/:mapId/report-settings',
    'GET /api/maps/:mapId/blocked-senders',
    'GET /api/maps/:mapId/work',
    'GET /api/maps/:mapId/incidents/:id/notes',
    'GET /api/maps/:mapId/incidents/:id/work-links',
    'GET /api/maps/:mapId/work-links/:linkId',
    'GET /api/maps/:mapId/work-links/:linkId/photos/:photoId/:version',
    'GET /api/maps/:mapId/features.geojson',
    'GET /api/maps/:mapId/fields',
    'GET /api/maps/:mapId/metadata-names',
    'GET /api/maps/:mapId/removed-features',
    'GET /api/maps/:mapId/due-maintenance',
    'GET /api/maps/:mapId/bulk-changes/:id',
    'GET /api/maps/:mapId/drawings',
    'GET /api/maps/:mapId/activity',
    'GET /api/maps/:mapId/tiles.json',
    'GET /api/maps/:mapId/tiles/:z/:x/:y.mvt',
    'GET /api/maps/:mapId/export',
    'GET /api/maps/:mapId/drawings/export',
    'GET /api/maps/:mapId/reports/export',
    'GET /api/calendars/:name',
    'POST /api/maps/:mapId/export',
    'POST /api/maps/:mapId/exports',
    'GET /api/maps/:mapId/exports',
    'GET /api/maps/:mapId/exports/:id',
    'GET /api/maps/:mapId/exports/:id/file',
    'POST /api/maps/:mapId/features-within',
    'POST /api/maps/:mapId/shape-check',
    'POST /api/maps/:mapId/bulk-changes/preview',
    'POST /api/maps/:mapId/notices/preview',
  ],
  write: [
    'DELETE /api/maps/:mapId/exports/:id',
    'POST /api/maps/:mapId/land-check',
    'DELETE /api/maps/:mapId/land-check',
    'POST /api/maps/:mapId/features',
    'PATCH /api/maps/:mapId/features/:id',
    'DELETE /api/maps/:mapId/features/:id',
    'PUT /api/maps/:mapId/features/:id/status',
    'POST /api/maps/:mapId/features/:id/restore',
    'POST /api/maps/:mapId/features/changes',
    'POST /api/maps/:mapId/changes/:changeId/undo',
    'POST /api/maps/:mapId/removed-features/:id/put-back',
    'POST /api/maps/:mapId/features/:id/maintenance',
    'PATCH /api/maps/:mapId/features/:id/maintenance/:entryId',
    'DELETE /api/maps/:mapId/features/:id/maintenance/:entryId',
    'POST /api/maps/:mapId/bulk-changes',
    'POST /api/maps/:mapId/notices',
    'POST /api/maps/:mapId/bulk-changes/:id/cancel',
    'POST /api/maps/:mapId/bulk-changes/:id/undo',
    'POST /api/maps/:mapId/uploads',
    'GET /api/maps/:mapId/uploads/:id',
    'PUT /api/maps/:mapId/uploads/:id',
    'PATCH /api/maps/:mapId/files/:id',
    'DELETE /api/maps/:mapId/files/:id',
    'POST /api/maps/:mapId/files/:id/put-back',
    'POST /api/maps/:mapId/files/:id/redact',
    'POST /api/maps/:mapId/files/:id/undo-redaction',
    'POST /api/maps/:mapId/reports',
    'POST /api/maps/:mapId/reports/challenge',
    'PATCH /api/maps/:mapId/reports/:id',
    'PATCH /api/maps/:mapId/reports/:id/own',
    'POST /api/maps/:mapId/reports/:id/own/withdraw',
    'POST /api/maps/:mapId/reports/:id/photos',
    'PUT /api/maps/:mapId/reports/:id/photos/:photoId',
    'PUT /api/maps/:mapId/reports/:id/decision',
    'PUT /api/maps/:mapId/reports/:id/block',
    'DELETE /api/maps/:mapId/reports/:id/block',
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
    'POST /api/mail/bounces',
    'POST /api/maps/:mapId/open311/v2/requests.:format',
    'POST /api/maps/:mapId/incidents/:id/work',
    'PATCH /api/maps/:mapId/incidents/:id/notes/:noteId',
    'DELETE /api/maps/:mapId/incidents/:id/notes/:noteId',
    'POST /api/maps/:mapId/incidents/:id/merge',
    'POST /api/maps/:mapId/incidents/:id/undo-merge',
    'POST /api/maps/:mapId/incidents/:id/work-links',
    'POST /api/maps/:mapId/incidents/:id/work-links/:linkId/revoke',
    'POST /api/maps/:mapId/work-links/:linkId/steps',
    'POST /api/maps/:mapId/work-links/:linkId/photos',
    'PUT /api/maps/:mapId/work-links/:linkId/photos/:photoId',
    'POST /api/maps/:mapId/drawings',
    'DELETE /api/maps/:mapId/drawings',
    'PUT /api/maps/:mapId/drawings/:id',
    'DELETE /api/maps/:mapId/drawings/:id',
  ],
  import: [
    'POST /api/maps/:mapId/import-drafts',
    'GET /api/maps/:mapId/import-drafts',
    'GET /api/maps/:mapId/import-drafts/:id',
    'DELETE /api/maps/:mapId/import-drafts/:id',
    'PUT /api/maps/:mapId/import-drafts/:id/files/:index',
    'PATCH /api/maps/:mapId/import-drafts/:id/settings',
    'POST /api/maps/:mapId/import-drafts/:id/try',
    'POST /api/maps/:mapId/import-drafts/:id/import',
    'POST /api/maps/:mapId/import-drafts/:id/undo',
    'POST /api/maps/:mapId/import-drafts/:id/cancel',
    'GET /api/maps/:mapId/import-drafts/:id/sample',
    'GET /api/maps/:mapId/import-drafts/:id/trial',
    'GET /api/maps/:mapId/import-drafts/:id/trial/places',
    'GET /api/maps/:mapId/import-drafts/:id/trial/refused',
  ],
  none: [
    'GET /api/session',
    'DELETE /api/session',
    'DELETE /api/sessions',
    'GET /api/tokens',
    'POST /api/tokens',
    'DELETE /api/tokens/:id',
    'GET /api/maps/:mapId/tokens',
    'DELETE /api/maps/:mapId/tokens/:id',
    'POST /api/clients',
    'PATCH /api/clients/:mapId',
    'POST /api/clients/:mapId/archive',
    'POST /api/clients/:mapId/restore',
    'PUT /api/maps/:mapId/configuration',
    'DELETE /api/maps/:mapId/configuration',
    'POST /api/maps/:mapId/configuration/restore',
    'GET /api/maps/:mapId/configuration/versions',
    'PUT /api/maps/:mapId/fields',
    'PUT /api/maps/:mapId/report-settings',
    'POST /api/maps/:mapId/report-settings/test-email',
    'GET /api/maps/:mapId/maintenance-calendar',
    'POST /api/maps/:mapId/maintenance-calendar',
    'DELETE /api/maps/:mapId/maintenance-calendar',
    'GET /api/maps/:mapId/webhooks',
    'POST /api/maps/:mapId/webhooks',
    'PUT /api/maps/:mapId/webhooks/:id',
    'DELETE /api/maps/:mapId/webhooks/:id',
    'POST /api/maps/:mapId/webhooks/:id/secret',
    'POST /api/maps/:mapId/webhooks/:id/test',
    'GET /api/maps/:mapId/webhooks/:id/deliveries',
    'POST /api/maps/:mapId/webhooks/:id/deliveries/:deliveryId/repeat',
    'GET /api/jobs',
    'GET /api/people',
    'DELETE /api/maps/:mapId/jobs/:id',
    'GET /api/events',
    'PUT /api/maps/:mapId/activity/read',
    'PUT /api/maps/:mapId/features/:id/open-pages/:pageId',
    'DELETE /api/maps/:mapId/features/:id/open-pages/:pageId',
  ],
}

const ogcScope = (method: string): TokenScope => (['GET', 'OPTIONS'].includes(method) ? 'read' : 'write')

type Route = { method: string; url: string; access: AccessRule | undefined }

onEngine('sqlite', 'a token on every route', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  const routes: Route[] = []
  beforeAll(async () => {
    database = await createDatabase()
    for (const id of ['oak-hills', 'elm-park']) await storeClient(database, id)
    await storeFeatures(database, [anAsset({ id: 'tank' })])
    app = await startTestApp(database, {
      settings: { TOKEN_RATE_LIMIT_PER_MINUTE: '1000000' },
      onRoute: ({ method, url, config }) => {
        if (!/^\/(api|ogc)(\/|$)/.test(url) || url.startsWith('/api/docs')) return
        for (const one of [method].flat()) routes.push({ method: one, url, access: config?.access })
      },
    })
  })
  afterAll(() => app.close())

  const scopeOf = ({ method, url }: Route) => {
    const asGet = method === 'HEAD' ? 'GET' : method
    if (url.startsWith('/ogc')) return ogcScope(asGet)
    const scopes = Object.entries(expectedScopes).filter(([, of]) => of.includes(`${asGet} ${url}`))
    expect(scopes, `${asGet} ${url} says once what a token must be for`).toHaveLength(1)
    return scopes[0]?.[0]
  }

  it('is accepted by its scope, and for reading', async () => {
    expect(routes.length).toBeGreaterThan(100)
    for (const scope of tokenScopes) {
      const { bearer } = await makeToken(database, { scopes: [scope] })
      for (const route of routes) {
        const status = await ask(route, bearer)
        const what = `${route.method} ${route.url} with ${scope}: ${status}`
        if ([scope, 'read'].includes(scopeOf(route) ?? '')) expect([401, 403], what).not.toContain(status)
        else expect(status, what).toBe(403)
      }
    }
  }, 120_000)

  it('changes nothing with the scope read, except in listed POST routes that only read', () => {
    const changing = routes.filter((route) => !['GET', 'HEAD', 'OPTIONS'].includes(route.method))
    expect(changing.length).toBeGreaterThan(60)
    const open = changing.filter((route) => scopeOf(route) === 'read')
    expect(open.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
      'POST /api/maps/:mapId/bulk-changes/preview',
      'POST /api/maps/:mapId/export',
      'POST /api/maps/:mapId/exports',
      'POST /api/maps/:mapId/features-within',
      'POST /api/maps/:mapId/notices/preview',
      'POST /api/maps/:mapId/shape-check',
    ])
  })

  it('is rejected for another map', async () => {
    const { bearer } = await makeToken(database, { mapIds: ['elm-park'] })
    for (const route of routes)
      if (route.url.includes(':mapId'))
        expect(await ask(route, bearer), `${route.method} ${route.url}`).toBe(403)
  }, 120_000)

  it('is rejected everywhere if it is invalid, also on public routes', async () => {
    for (const route of routes) {
      const status = await ask(route, { authorization: `Bearer poa_${'x'.repeat(43)}` })
      expect(status, `${route.method} ${route.url}`).toBe(401)
    }
  }, 120_000)

  it('has no obsolete entries in its table', () => {
    const routeNames = new Set(routes.map(({ method, url }) => `${method} ${url}`))
    for (const route of Object.values(expectedScopes).flat()) expect(routeNames).toContain(route)
  })

  async function ask({ method, url }: Route, headers: Record<string, string>): Promise<number> {
    const path = url
      .replace(':mapId', 'oak-hills')
      .replace(':id', 'tank')
      .replace(/:[xyz]/g, '0')
      .replace(/:\w+|\*/g, 'x')
    return (await app.send({ method, url: path, headers } as InjectOptions)).statusCode
  }
})
