import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import type { ImportDraftState } from '#domain/imports/import-draft.schema.ts'
import { defaultMapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import { defaultReportSettings } from '#domain/reports/report-settings.ts'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, anIncident, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { aSubscriptionRow } from '#test/databases/subscription-rows.ts'
import { aPdf, aPhoto } from '#test/imports/file-bytes.ts'
import { aBounce } from '#test/server/a-bounce.ts'
import { makeToken } from '#test/server/api-tokens.ts'
import { aBackgroundExportRow, aPiece, pieceOf } from '#test/server/background-exports.ts'
import { aDrawing, drawingFields } from '#test/server/drawings.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'
import { aDeliveryRow, anEndpointRow } from '#test/server/webhook-rows.ts'
import type { IncidentNotesTable } from '../database/tables.ts'
import { insertExport } from '../exports/background-exports.queries.ts'
import { storeCalendar } from '../features/maintenance/calendars.queries.ts'
import { SampleOfRows } from '../imports/drafts/sample-of-rows.ts'
import { resultPath, workingFolder } from '../imports/drafts/working-folder.ts'
import { TrialFile } from '../imports/trial/trial-file.ts'
import { insertJob } from '../jobs/jobs.queries.ts'
import { unsubscribeTokenOf } from '../reports/report-keys.ts'
import { readReport, updateReport } from '../reports/reports.queries.ts'
import { endTokenOf, keyOfSubscription } from '../subscriptions/subscription-keys.ts'
import { insertSubscription } from '../subscriptions/subscriptions.queries.ts'
import { insertDelivery, insertEndpoint } from '../webhooks/webhooks.queries.ts'
import { insertNote } from '../work/notes.queries.ts'
import { keyOfLink } from '../work/work-links.commands.ts'
import { insertWorkLink } from '../work/work-links.queries.ts'

type Operation = {
  operationId?: string
  security?: object[]
  summary?: string
  description?: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: object
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}
type OpenApi = {
  openapi: string
  info: { title: string; version: string }
  tags: { name: string }[]
  components: { securitySchemes: Record<string, object> }
  paths: Record<string, Record<string, Operation>>
}

const changesOfVersions = [
  'put /api/maps/{mapId}/configuration',
  'delete /api/maps/{mapId}/configuration',
  'put /api/maps/{mapId}/fields',
  'put /api/maps/{mapId}/report-settings',
  'post /api/maps/{mapId}/configuration/restore',
  'put /api/maps/{mapId}/features/{id}/status',
  'patch /api/maps/{mapId}/features/{id}',
  'delete /api/maps/{mapId}/features/{id}',
  'post /api/maps/{mapId}/features/{id}/restore',
  'patch /api/maps/{mapId}/files/{id}',
  'delete /api/maps/{mapId}/files/{id}',
  'post /api/maps/{mapId}/files/{id}/redact',
  'post /api/maps/{mapId}/files/{id}/undo-redaction',
  'patch /api/maps/{mapId}/features/{id}/maintenance/{entryId}',
  'delete /api/maps/{mapId}/features/{id}/maintenance/{entryId}',
  'post /api/maps/{mapId}/incidents/{id}/merge',
  'post /api/maps/{mapId}/incidents/{id}/work',
  'put /api/maps/{mapId}/webhooks/{id}',
  'delete /api/maps/{mapId}/webhooks/{id}',
  'post /api/maps/{mapId}/webhooks/{id}/secret',
  'patch /api/maps/{mapId}/reports/{id}',
  'put /api/maps/{mapId}/reports/{id}/decision',
  'put /api/maps/{mapId}/drawings/{id}',
  'delete /api/maps/{mapId}/drawings/{id}',
  'patch /api/clients/{mapId}',
]

const requiredQueries: Record<string, string> = {
  '/api/events': '?map=oak-hills',
  '/api/maps/{mapId}/export': '?format=csv',
  '/api/maps/{mapId}/exports': '?format=gpkg',
  '/api/maps/{mapId}/drawings/export': '?format=csv',
  '/api/maps/{mapId}/reports/export': '?format=csv',
  '/api/maps/{mapId}/import-drafts/{id}/trial/places': '?bbox=-112,34,-111,35',
  '/api/maps/{mapId}/reports/similar': '?lat=34&lng=-111',
  '/api/mail/bounces': '',
  '/api/maps/{mapId}/subscriptions/{id}/unsubscribe': `?token=${endTokenOf(aSubscriptionRow())}`,
  '/api/maps/{mapId}/shapes': '?kind=parcel&bbox=-112,34,-111,35',
  '/api/maps/{mapId}/parcels-as-of': '?at=2026-01-01T00:00:00Z&bbox=-112,34,-111,35',
}

const draftStates: Record<string, ImportDraftState> = {
  settings: 'examined',
  try: 'examined',
  import: 'tried',
  undo: 'imported',
  cancel: 'trying',
  trial: 'tried',
  places: 'tried',
  refused: 'tried',
}

const forPeople = /(session|events|activity\/read|open-pages|configuration\/versions)/

const drawn = aDrawing()
const calendarSecret = 's'.repeat(43)
const deed = aPdf()
const [sentId, fileId, draftId, webhookId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
const redactedId = randomUUID()
const [reportId, photoId, reportKey] = [randomUUID(), randomUUID(), 'ab'.repeat(16)]
const report = { id: reportId, key: reportKey, type: 'flood', place: { lat: 34, lng: -111 } }
const photo = await aPhoto()
const [noteId, linkId, secret, linkPhotoId] = [randomUUID(), randomUUID(), 'cd'.repeat(32), randomUUID()]
const [newLinkId, newLinkPhotoId, readPhotoId] = [randomUUID(), randomUUID(), randomUUID()]
/** Has a key once there is a token. */
const serviceRequest = { api_key: '', service_code: 'flood', lat: '34', long: '-111' }
const writtenExport = aBackgroundExportRow()
const webhook = { url: 'https://8.8.8.8/hook', description: '', events: ['feature.added'], kinds: [] }

const bodies: Record<string, object | undefined> = {
  'post /api/maps/{mapId}/uploads': { id: sentId, featureId: 'pump', name: 'Deed.pdf', size: deed.length },
  'put /api/maps/{mapId}/uploads/{id}': deed,
  'patch /api/maps/{mapId}/files/{id}': { caption: 'Deed' },
  'delete /api/maps/{mapId}/files/{id}': undefined,
  'post /api/maps/{mapId}/files/{id}/put-back': undefined,
  'post /api/maps/{mapId}/files/{id}/redact': {
    id: redactedId,
    areas: [{ x: 0, y: 0, width: 1, height: 0.5 }],
  },
  'post /api/maps/{mapId}/files/{id}/undo-redaction': undefined,
  'post /api/maps/{mapId}/reports': report,
  'post /api/maps/{mapId}/reports/challenge': undefined,
  'post /api/maps/{mapId}/reports/{id}/photos': { id: photoId, size: photo.length },
  'put /api/maps/{mapId}/reports/{id}/photos/{photoId}': photo,
  'patch /api/maps/{mapId}/reports/{id}/own': { description: 'Deep' },
  'patch /api/maps/{mapId}/reports/{id}': { severity: 'low' },
  'put /api/maps/{mapId}/reports/{id}/decision': { state: 'new' },
  'put /api/maps/{mapId}/reports/{id}/block': { days: 7 },
  'delete /api/maps/{mapId}/reports/{id}/block': undefined,
  'post /api/maps/{mapId}/reports/{id}/own/comments': { id: randomUUID(), text: 'Deeper' },
  'put /api/maps/{mapId}/report-settings': defaultReportSettings,
  'post /api/maps/{mapId}/reports/{id}/confirm': undefined,
  'post /api/maps/{mapId}/reports/{id}/own/end-emails': undefined,
  'post /api/maps/{mapId}/reports/{id}/unsubscribe': undefined,
  'post /api/maps/{mapId}/reports/{id}/own/withdraw': undefined,
  'post /api/maps/{mapId}/subscriptions': { email: 'bob@example.org', about: { topic: 'map' } },
  'post /api/maps/{mapId}/subscriptions/{id}/confirm': undefined,
  'patch /api/maps/{mapId}/subscriptions/{id}/own/{itemId}': { frequency: 'daily' },
  'post /api/maps/{mapId}/subscriptions/{id}/own/{itemId}/end': undefined,
  'post /api/maps/{mapId}/subscriptions/{id}/end-all': undefined,
  'post /api/maps/{mapId}/subscriptions/{id}/unsubscribe': undefined,
  'post /api/maps/{mapId}/report-settings/test-email': { email: 'maya@example.org' },
  'post /api/mail/bounces': Buffer.from(aBounce(`bounce+s${'0'.repeat(34)}.${'0'.repeat(20)}@example.org`)),
  'post /api/maps/{mapId}/open311/v2/requests.{format}': serviceRequest,
  'post /api/maps/{mapId}/incidents/{id}/work': { id: randomUUID(), publicNote: 'Ordered' },
  'patch /api/maps/{mapId}/incidents/{id}/notes/{noteId}': { isPublic: true },
  'delete /api/maps/{mapId}/incidents/{id}/notes/{noteId}': undefined,
  'post /api/maps/{mapId}/incidents/{id}/merge': { into: 'leak' },
  'post /api/maps/{mapId}/incidents/{id}/undo-merge': undefined,
  'post /api/maps/{mapId}/incidents/{id}/work-links': { id: newLinkId, name: 'Painters' },
  'post /api/maps/{mapId}/work-links/{linkId}/steps': { id: randomUUID(), state: 'in_progress' },
  'post /api/maps/{mapId}/work-links/{linkId}/photos': { id: newLinkPhotoId, size: photo.length },
  'put /api/maps/{mapId}/work-links/{linkId}/photos/{photoId}': photo,
  'post /api/maps/{mapId}/incidents/{id}/work-links/{linkId}/revoke': undefined,
  'post /api/maps/{mapId}/import-drafts': { id: sentId, files: [{ name: 'lots.csv', size: 4 }] },
  'put /api/maps/{mapId}/import-drafts/{id}/files/{index}': Buffer.from('a,b\n'),
  'patch /api/maps/{mapId}/import-drafts/{id}/settings': { kind: 'asset' },
  'post /api/maps/{mapId}/import-drafts/{id}/try': undefined,
  'post /api/maps/{mapId}/import-drafts/{id}/import': undefined,
  'post /api/maps/{mapId}/import-drafts/{id}/undo': undefined,
  'post /api/maps/{mapId}/import-drafts/{id}/cancel': undefined,
  'delete /api/maps/{mapId}/import-drafts/{id}': undefined,
  'post /api/clients': { name: 'Elm Park', location: '' },
  'patch /api/clients/{mapId}': { name: 'Oak Hills' },
  'put /api/maps/{mapId}/configuration': defaultMapConfiguration,
  'put /api/maps/{mapId}/fields': { fields: noCustomFields },
  'post /api/maps/{mapId}/configuration/restore': { version: 1 },
  'delete /api/maps/{mapId}/configuration': undefined,
  'put /api/maps/{mapId}/features/{id}/status': { status: 'offline' },
  'post /api/maps/{mapId}/features/changes': {
    id: 'made-and-changed',
    items: [{ action: 'change', id: 'pump', version: 2, change: { description: 'Loud' } }],
  },
  'patch /api/maps/{mapId}/features/{id}': { name: 'Pump' },
  'post /api/maps/{mapId}/features/{id}/restore': { changeId: 'made-and-changed' },
  'put /api/maps/{mapId}/features/{id}/open-pages/{pageId}': { isEditing: true },
  'delete /api/maps/{mapId}/features/{id}/open-pages/{pageId}': undefined,
  'post /api/maps/{mapId}/maintenance-calendar': {},
  'delete /api/maps/{mapId}/maintenance-calendar': undefined,
  'post /api/maps/{mapId}/webhooks': { id: webhookId, ...webhook },
  'put /api/maps/{mapId}/webhooks/{id}': { ...webhook, isOn: true },
  'post /api/maps/{mapId}/webhooks/{id}/secret': { formerEnds: 'at-once' },
  'post /api/maps/{mapId}/webhooks/{id}/test': undefined,
  'post /api/maps/{mapId}/webhooks/{id}/deliveries/{deliveryId}/repeat': undefined,
  'delete /api/maps/{mapId}/webhooks/{id}': undefined,
  'post /api/maps/{mapId}/features/{id}/maintenance': { id: 'painted', date: '2026-01-01', text: 'Painted' },
  'patch /api/maps/{mapId}/features/{id}/maintenance/{entryId}': { hours: 2 },
  'delete /api/maps/{mapId}/features/{id}/maintenance/{entryId}': undefined,
  'post /api/maps/{mapId}/changes/{changeId}/undo': { id: 'taken-back' },
  'post /api/maps/{mapId}/export': { except: [] },
  'post /api/maps/{mapId}/exports': { id: sentId },
  'delete /api/maps/{mapId}/exports/{id}': undefined,
  'post /api/maps/{mapId}/land-check': undefined,
  'delete /api/maps/{mapId}/land-check': undefined,
  'post /api/maps/{mapId}/features-within': {
    ring: [
      [-112, 33],
      [-110, 33],
      [-111, 35],
    ],
    filter: {},
  },
  'post /api/maps/{mapId}/notices/preview': { ids: ['pump'] },
  'post /api/maps/{mapId}/notices': {
    id: randomUUID(),
    ids: ['pump'],
    subject: 'Water',
    message: 'Off on Monday',
  },
  'post /api/maps/{mapId}/bulk-changes/preview': { kind: 'change', patch: { description: '' }, filter: {} },
  'post /api/maps/{mapId}/bulk-changes': {
    id: 'bulk',
    kind: 'change',
    patch: { description: '' },
    filter: {},
  },
  'post /api/maps/{mapId}/bulk-changes/{id}/cancel': undefined,
  'post /api/maps/{mapId}/bulk-changes/{id}/undo': { id: 'bulk-taken-back' },
  'delete /api/maps/{mapId}/jobs/{id}': undefined,
  'post /api/maps/{mapId}/features': {
    kind: 'asset',
    id: 'well',
    name: 'Well',
    geometry: { type: 'Point', coordinates: [-111, 34] },
  },
  'post /api/maps/{mapId}/shape-check': {
    kind: 'asset',
    geometry: { type: 'Point', coordinates: [-111, 34] },
  },
  'delete /api/maps/{mapId}/features/{id}': undefined,
  'post /api/maps/{mapId}/removed-features/{id}/put-back': undefined,
  'post /api/maps/{mapId}/drawings': { items: [drawn] },
  'put /api/maps/{mapId}/drawings/{id}': drawingFields(drawn),
  'delete /api/maps/{mapId}/drawings/{id}': undefined,
  'delete /api/maps/{mapId}/drawings': undefined,
  'put /api/maps/{mapId}/activity/read': { at: '2026-01-01T00:00:00.000Z' },
  'post /api/tokens': { name: 'County sync', scopes: ['read'], mapIds: ['oak-hills'] },
  'delete /api/tokens/{id}': undefined,
  'delete /api/maps/{mapId}/tokens/{id}': undefined,
  'post /api/clients/{mapId}/archive': undefined,
  'post /api/clients/{mapId}/restore': undefined,
  'delete /api/session': undefined,
  'delete /api/sessions': undefined,
}

const ofLeak = { map_id: 'oak-hills', incident_id: 'leak' }
const noteOfReporter: IncidentNotesTable = {
  ...ofLeak,
  ...{
    id: noteId,
    at: 0,
    author: null,
    text: 'Hello',
    state: null,
    is_public: 0,
    is_waiting: 1,
    report_id: null,
    original_text: null,
  },
  source: 'reporter',
}
const link = {
  ...ofLeak,
  ...{ id: linkId, secret, name: 'Plumbers', email: null, created_by: 'Ann', created_at: 0 },
  ...{
    expires_at: Date.now() + 3_600_000,
    revoked_at: null,
    done_at: null,
    mailed_at: null,
    mail_problem: null,
    instructions: '',
  },
}
const workKey = keyOfLink(link)
const bouncesSecret = 'secret-of-the-mail-server'
const subscription = aSubscriptionRow()

const nameOf = ({ method, address }: { method: string; address: string }) => `${method} ${address}`

const nothingFound = { layers: [], layer: 'lots.csv', columns: [], extent: null }
const counts = 'rows created updated unchanged refused repaired leftOut removedHere gone editsKept'.split(' ')
const nothingTried = {
  ...Object.fromEntries(counts.map((name) => [name, 0])),
  ...{ filled: [], kept: [], doubts: [], reported: [], extent: null, isStale: false },
}

onEngine('sqlite', 'the documentation', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let openApi: OpenApi
  const rules = new Map<string, string>()
  let tokenId: string
  let tokenOfMapId: string
  beforeAll(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await database.write((transaction) =>
      transaction.updateTable('clients').set({ thumbnail: 'data:image/png;base64,iVBORw0KGgo=' }).execute(),
    )
    await storeFeatures(database, [
      anAsset({ id: 'pump' }),
      anIncident({ id: 'leak' }),
      anIncident({ id: 'same-leak' }),
    ])
    await database.write(async (transaction) => {
      const map_id = 'oak-hills'
      await storeCalendar(transaction, { mapId: map_id, secret: calendarSecret, actor: 'Ann', now: 0 })
      const bulk = {
        map_id,
        id: 'pump',
        action: 'remove',
        patch: '{}',
        kinds: '{}',
        total: 0,
        state: 'done',
      } as const
      const counts = { changed: 0, same: 0, left_count: 0, undoes: null, started_at: 0, finished_at: 0 }
      const by = { actor: 'Maya', actor_id: 'maya' }
      await transaction
        .insertInto('bulk_changes')
        .values({ ...bulk, ...counts, ...by })
        .execute()
      await insertNote(transaction, noteOfReporter)
      await insertWorkLink(transaction, link)
      await insertSubscription(transaction, subscription)
      const notified = { id: 'notified', email: 'cat@example.org', about_hash: 'cat', notices: 1 } as const
      await insertSubscription(transaction, aSubscriptionRow(notified))
      await insertExport(transaction, writtenExport)
      await insertEndpoint(transaction, anEndpointRow({ id: 'pump' }))
      await insertDelivery(transaction, aDeliveryRow({ id: 'sent', endpoint_id: webhookId }))
      await insertJob(transaction, { mapId: map_id, kind: 'paint', key: 'pump', payload: {} }, 0)
      await transaction.updateTable('jobs').set({ id: 'pump', dead_at: 0 }).execute()
    })
    app = await startTestApp(database, {
      settings: {
        SMTP_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'land@example.org',
        MAIL_BOUNCES_SECRET: bouncesSecret,
      },
      onRoute: ({ method, url, config }) => {
        const address = url.replaceAll(/:(\w+)/g, '{$1}')
        for (const one of [method].flat()) rules.set(`${one.toLowerCase()} ${address}`, config?.access ?? '')
      },
    })
    await app.store.put(pieceOf(writtenExport), aPiece)
    tokenId = (await makeToken(database)).id
    serviceRequest.api_key = (await makeToken(database)).secret
    tokenOfMapId = (await makeToken(database)).id
    openApi = await app.getJson('/api/openapi.json')
    await app.send({ method: 'POST', url: '/api/maps/oak-hills/reports', payload: report })
    await database.write((transaction) =>
      updateReport(transaction, { mapId: 'oak-hills', id: reportId }, { email_secret: reportKey }),
    )
    await announce(sentId)
    await announce(fileId)
    const headers = { ...(await signIn(database)), 'content-type': 'application/octet-stream' }
    const url = `/api/maps/oak-hills/uploads/${fileId}?offset=0`
    await app.send({ method: 'PUT', url, headers, payload: deed })
    for (const [path, id] of [
      [`work-links/${linkId}`, linkPhotoId],
      [`reports/${reportId}`, readPhotoId],
    ]) {
      const url = `/api/maps/oak-hills/${path}/photos`
      const byLink = { 'work-key': workKey, 'report-key': reportKey }
      await app.send({ method: 'POST', url, headers: byLink, payload: { id, size: photo.length } })
      await app.send({
        method: 'PUT',
        url: `${url}/${id}?offset=0`,
        headers: { ...byLink, 'content-type': 'application/octet-stream' },
        payload: photo,
      })
    }
    const reported = await readReport(database.read, { mapId: 'oak-hills', id: reportId })
    if (reported)
      requiredQueries['/api/maps/{mapId}/reports/{id}/unsubscribe'] = `?token=${unsubscribeTokenOf(reported)}`
    const draft = { id: draftId, files: [{ name: 'lots.csv', size: 4 }] }
    const signedIn = await signIn(database)
    await app.send({
      method: 'POST',
      url: '/api/maps/oak-hills/import-drafts',
      headers: signedIn,
      payload: draft,
    })
    const looked = { found: JSON.stringify({ ...nothingFound, attempt: 1 }) }
    await database.write((transaction) => transaction.updateTable('import_drafts').set(looked).execute())
    const attempt = { mapId: 'oak-hills', id: draftId, attempt: 1 }
    const { dataDirectory } = database.location
    mkdirSync(workingFolder(dataDirectory, attempt), { recursive: true })
    const sample = new SampleOfRows(
      { columns: new Map(), decimalMark: 'point', pairOrder: 'latitude-first' },
      { isSwapped: false },
    )
    sample.write(resultPath(dataDirectory, 'sample', attempt))
    const trial = new TrialFile(resultPath(dataDirectory, 'trial', attempt))
    trial.addReported({ rowNumber: 1, outcome: 'refused', reason: 'no place', columns: '[["a","b"]]' })
    trial.finish()
  })
  afterAll(() => app.close())

  async function announce(id: string) {
    const payload = { id, featureId: 'pump', name: 'Deed.pdf', size: deed.length }
    const headers = await signIn(database)
    await app.send({ method: 'POST', url: '/api/maps/oak-hills/uploads', headers, payload })
  }

  it('is OpenAPI 3.1 and names every route', () => {
    expect(openApi.openapi).toMatch(/^3\.1\.\d$/)
    expect(openApi.info).toMatchObject({ title: 'POA Land Management', version: expect.any(String) })
    const isDocumented = (name: string) => /^(?!head)\w+ \/(api\/(?!docs|openapi)|health\/)/.test(name)
    expect(all().map(nameOf).toSorted()).toEqual([...rules.keys()].filter(isDocumented).toSorted())
  })

  it('describes the purpose, parameters and responses of each operation', () => {
    const tags = openApi.tags.map(({ name }) => name)
    for (const { address, method, operation } of all()) {
      const { summary, tags: own = [], parameters = [], responses, requestBody } = operation
      expect(summary, address).toMatch(/\w/)
      expect(own, address).toHaveLength(1)
      expect(tags).toContain(own[0])
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const placeholders = [...address.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(
        inPath.map(({ name }) => name),
        address,
      ).toEqual(placeholders)
      for (const parameter of parameters) {
        expect(['path', 'query', 'header']).toContain(parameter.in)
        expect(parameter.schema, parameter.name).toBeTypeOf('object')
        if (parameter.in === 'path') expect(parameter.required).toBe(true)
      }
      const success = responses[successOf(operation)]
      expect(success?.description, address).toBeTypeOf('string')
      expect(requestBody !== undefined, `${method} ${address}`).toBe(
        bodies[nameOf({ method, address })] !== undefined,
      )
    }
  })

  it('names the changes that require If-Match', () => {
    const withIfMatch = all().filter(({ operation }) =>
      operation.parameters?.some((parameter) => parameter.in === 'header' && parameter.name === 'if-match'),
    )
    expect(withIfMatch.map(nameOf).toSorted()).toEqual(changesOfVersions.toSorted())
  })

  it('gives each operation a unique id, derived from its path', () => {
    const ids = all().map(({ operation }) => operation.operationId ?? '')
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z]+[A-Z][A-Za-z0-9]+$/)
    expect(openApi.paths['/api/maps/{mapId}/tiles/{z}/{x}/{y}.mvt']?.get?.operationId).toBe(
      'getMapsByMapIdTilesByZByXByYMvt',
    )
    expect(openApi.paths['/api/clients']?.post?.operationId).toBe('postClients')
  })

  it('describes the access rule of each route', () => {
    expect(openApi.components.securitySchemes).toEqual({
      session: expect.objectContaining({ type: 'apiKey', in: 'cookie', name: 'poa-session-3000' }),
      token: expect.objectContaining({ type: 'http', scheme: 'bearer' }),
    })
    for (const { method, address, operation } of all()) {
      const rule = rules.get(`${method} ${address}`)
      expect(rule, address).toMatch(/^[a-z-]+$/)
      const isOpen = /An access token needs the scope `(read|write|import)`\.$/.test(
        operation.description ?? '',
      )
      if (!isOpen) expect(operation.description, address).toMatch(/Not available to access tokens\.$/)
      const ways = [{ session: [] }, ...(isOpen ? [{ token: [] }] : [])]
      expect(operation.security, `${method} ${address}`).toEqual(rule === 'public' ? [] : ways)
      expect(isOpen, address).toBe(
        ['public', 'staff', 'editor'].includes(rule ?? '') && !forPeople.test(address),
      )
      if (rule === 'manager') expect(operation.description).toContain('For managers of the map')
    }
  })

  it('has the status and media type of each response', async () => {
    const requests = new Set<string>()
    const reads = all().filter(({ method }) => method === 'get')
    const changes = all().filter(({ method }) => method !== 'get')
    expect(changes.map(nameOf).toSorted()).toEqual(Object.keys(bodies).toSorted())
    const order = Object.keys(bodies)
    changes.sort((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)))
    for (const one of [...reads, ...changes]) {
      const { method, address, operation } = one
      const url = address
        .replace('{mapId}', 'oak-hills')
        .replace('drawings/{id}', `drawings/${drawn.id}`)
        .replace('exports/{id}', `exports/${method === 'get' ? writtenExport.id : sentId}`)
        .replace('uploads/{id}', `uploads/${sentId}`)
        .replace('import-drafts/{id}', `import-drafts/${method === 'get' ? draftId : sentId}`)
        .replace('{format}', 'json')
        .replace('{code}', 'flood')
        .replace('requests/{id}', 'requests/leak')
        .replace('reports/{id}', `reports/${reportId}`)
        .replace('subscriptions/{id}', `subscriptions/${subscription.id}`)
        .replace('{itemId}', subscription.id)
        .replace('incidents/{id}', address.includes('merge') ? 'incidents/same-leak' : 'incidents/leak')
        .replace('{noteId}', noteId)
        .replace('{linkId}', linkId)
        .replace(
          'photos/{photoId}/{version}',
          `photos/${address.includes('work-links') ? linkPhotoId : readPhotoId}/small`,
        )
        .replace('{photoId}', address.includes('work-links') ? newLinkPhotoId : photoId)
        .replace('webhooks/{id}', `webhooks/${method === 'get' ? 'pump' : webhookId}`)
        .replace('{deliveryId}', 'sent')
        .replace('{index}', '0')
        .replace('files/{id}/redact', `files/${linkPhotoId}/redact`)
        .replace('files/{id}/undo-redaction', `files/${redactedId}/undo-redaction`)
        .replace('files/{id}', `files/${fileId}`)
        .replace('tokens/{id}', `tokens/${address.includes('maps') ? tokenOfMapId : tokenId}`)
        .replace('{id}', 'pump')
        .replace('{version}', 'original')
        .replace('{changeId}', 'made-and-changed')
        .replace('{entryId}', 'painted')
        .replace('{pageId}', 'a'.repeat(32))
        .replace('{name}', `${calendarSecret}.ics`)
        .replaceAll(/\{[xyz]\}/g, '0')
      const state = /import-drafts.*\/(\w+)$/.exec(address)?.[1]
      if (state && draftStates[state])
        await database.write(async (transaction) => {
          const drafts = await transaction
            .updateTable('import_drafts')
            .set({
              state: draftStates[state],
              found: JSON.stringify({ ...nothingFound, attempt: 1 }),
              outcome: JSON.stringify({ ...nothingTried, attempt: 1 }),
            })
            .returning(['map_id', 'import_id as id', 'id as source'])
            .execute()
          const counts = { created_count: 1, updated_count: 0, refused_count: 0, replaces_edits: 0 }
          const done = { kind: 'asset', state: 'done', started_at: 0, finished_at: 1, ...counts } as const
          const rows = drafts.map((draft) => ({ ...draft, ...done }))
          if (state === 'undo') await transaction.insertInto('imports').values(rows).execute()
        })
      const isEndless = address === '/api/events'
      const payload = bodies[nameOf(one)]
      const isOfBytes = payload instanceof Buffer
      const answer = await app.send({
        method: isEndless ? 'HEAD' : (method.toUpperCase() as 'GET'),
        url: `${url}${requiredQueries[address] ?? (isOfBytes ? '?offset=0' : '')}`,
        headers: {
          ...(await signIn(database)),
          'if-match': Array.from({ length: 20 }, (_, version) => `"${version}"`).join(),
          'report-key': reportKey,
          'work-key': workKey,
          'subscription-key': keyOfSubscription(subscription),
          ...(isOfBytes ? { 'content-type': 'application/octet-stream' } : {}),
          ...(address === '/api/mail/bounces'
            ? { 'content-type': 'message/rfc822', 'mail-secret': bouncesSecret }
            : {}),
          ...(method === 'post' ? { 'idempotency-key': 'a-change' } : {}),
        },
        ...(payload ? { payload } : {}),
      })
      const [type = ''] = String(answer.headers['content-type'] ?? '').split(';')
      if (type) requests.add(type)
      expect(answer.statusCode, `${nameOf(one)}: ${answer.body}`).toBe(Number(successOf(operation)))
      const described = Object.keys(operation.responses[answer.statusCode]?.content ?? {})
      if (type) expect(described, nameOf(one)).toContain(type)
      else expect(described, nameOf(one)).toEqual([])
    }
    expect([...requests].toSorted()).toEqual([
      'application/geo+json',
      'application/geopackage+sqlite3',
      'application/json',
      'application/pdf',
      'application/vnd.mapbox-vector-tile',
      'image/png',
      'image/webp',
      'text/calendar',
      'text/csv',
      'text/event-stream',
    ])
  })

  it('lists the responses to invalid requests', () => {
    for (const { operation } of all()) {
      const { content = {} } = operation.responses.default ?? {}
      // The standard has its own errors.
      if (operation.tags?.includes('open311')) {
        expect(Object.keys(content)).toEqual(['application/json', 'text/xml'])
        continue
      }
      expect(Object.keys(content)).toEqual(['application/problem+json'])
      expect(content['application/problem+json']?.schema).toMatchObject({
        type: 'object',
        required: ['type', 'title', 'status'],
      })
    }
  })

  function successOf({ responses }: Operation): string {
    const [success = '', ...more] = Object.keys(responses).filter((status) => status.startsWith('2'))
    expect(more).toEqual([])
    return success
  }

  function all() {
    return Object.entries(openApi.paths).flatMap(([address, of]) =>
      Object.entries(of).map(([method, operation]) => ({ address, method, operation })),
    )
  }

  it('uses only keywords of OpenAPI 3.1 and existing references', () => {
    const text = JSON.stringify(openApi)
    expect(text).not.toContain('"nullable":')
    for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], openApi)
      expect(target, reference).toBeDefined()
    }
  })

  it('can be read in a browser, under its own policy', async () => {
    const page = await app.get('/api/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string)
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) {
      const answer = await app.get(new URL(file, 'http://localhost/api/docs/').pathname)
      expect(answer.statusCode, file).toBe(200)
      expect(answer.rawPayload.length, file).toBeGreaterThan(0)
    }
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/script-src[^;]*'self'/)
    expect(page.body).not.toMatch(/<script(?![^>]*src=)/)
    const outward = await app.get('/api/docs')
    expect([200, 302]).toContain(outward.statusCode)
  })
})
