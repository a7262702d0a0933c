import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ActivityAction, activityActions, activityRule } from '#domain/activity/activity-rules.ts'
import type { WebhookEvent } from '#domain/webhooks/webhook-event.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  aGeneralFeature,
  anAsset,
  anIncident,
  aParcel,
  point,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { projectFolder } from '#test/server/processes.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp } from '#test/server/test-app.ts'
import { anEndpointRow } from '#test/server/webhook-rows.ts'
import { everyEvent } from '#test/server/webhooks.ts'
import type { WebhookEndpointsTable } from '../database/tables.ts'
import { importFeatures } from '../imports/import-features.ts'
import { undoImport } from '../imports/publishing/undo-import.ts'
import { ownJobKinds } from '../job-kinds.ts'
import { startJobRunner } from '../jobs/job-runner.ts'
import { insertEndpoint } from '../webhooks/webhooks.queries.ts'
import { recordActivity } from './activity.queries.ts'

const mapId = 'oak-hills'

const hasNoWebhook = (action: ActivityAction) =>
  ['features.bulk-changing', 'database.restored', 'notice.sent'].includes(action) ||
  action.startsWith('webhook.')

it('is written by every function that records an activity, except for restores', () => {
  const folder = join(projectFolder, 'server')
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
  const using = (words: RegExp) =>
    files.filter((file) => words.test(readFileSync(join(folder, file), 'utf8'))).toSorted()
  expect(using(/(insertInto\('|insert into )activity\b/)).toEqual(['activity/activity.queries.ts'])
  expect(using(/insertActivityWithoutWebhooks/)).toEqual([
    'activity/activity.queries.ts',
    'backup/backup.queries.ts',
  ])
})

onEachEngine('the outbox of webhooks', (createDatabase) => {
  async function start(...endpoints: Partial<WebhookEndpointsTable>[]) {
    const database = await createDatabase()
    await storeClient(database, mapId)
    const all = JSON.stringify(everyEvent)
    await database.write(async (transaction) => {
      for (const columns of endpoints)
        await insertEndpoint(transaction, anEndpointRow({ events: all, ...columns }))
    })
    return database
  }

  const outbox = ({ read }: TestDatabase) =>
    read.selectFrom('webhook_deliveries').select(['event', 'subject', 'kind', 'version']).execute()

  async function takeOutbox(database: TestDatabase) {
    const rows = await outbox(database)
    await database.write((transaction) => transaction.deleteFrom('webhook_deliveries').execute())
    return rows
  }

  it('has a row for every activity that webhooks receive', async () => {
    const database = await start({})
    for (const action of activityActions) {
      await database.write((transaction) => recordActivity(transaction, { mapId, action }, Date.now()))
      const events = (await takeOutbox(database)).map(({ event }) => event)
      expect(events, action).toEqual(hasNoWebhook(action) ? [] : [activityRule(action).event])
      expect(hasNoWebhook(action) || everyEvent.includes(events[0] as WebhookEvent), action).toBe(true)
    }
  })

  it('has one row for each change by a user, with the kind and version after it', async () => {
    const database = await start({})
    await storeFeatures(database, [
      anAsset({ id: 'tank' }),
      anIncident({ id: 'smoke' }),
      aParcel({ id: 'lot' }),
      aGeneralFeature({ id: 'spring' }),
    ])
    await using app = await startTestApp(database)
    const headers = { ...(await signIn(database)), 'if-match': '*' }
    const make = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload: object = {}) => {
      const body = method === 'DELETE' ? {} : { payload }
      const answer = await app.send({ method, url: `/api/maps/${mapId}${path}`, headers, ...body })
      expect(answer.statusCode, `${method} ${path}: ${answer.body}`).toBeLessThan(300)
      const rows = await takeOutbox(database)
      expect(rows, `${method} ${path}`).toHaveLength(1)
      return rows[0]
    }
    const tank = (event: WebhookEvent, version: number) => ({
      event,
      subject: 'tank',
      kind: 'asset',
      version,
    })
    expect(await make('PUT', '/features/tank/status', { status: 'offline' })).toEqual(
      tank('feature.changed', 2),
    )
    expect(await make('PATCH', '/features/tank', { name: 'Tank' })).toEqual(tank('feature.changed', 3))
    const entry = { id: 'painted', date: '2026-01-01', text: 'Painted' }
    expect(await make('POST', '/features/tank/maintenance', entry)).toEqual(tank('feature.changed', 4))
    const removed = await make('DELETE', '/features/tank')
    expect(removed).toMatchObject({ event: 'feature.removed', subject: 'tank', kind: 'asset' })
    expect(await make('POST', '/removed-features/tank/put-back')).toMatchObject({
      event: 'feature.added',
      subject: 'tank',
      kind: 'asset',
    })
    expect(await make('PUT', '/features/smoke/status', { status: 'resolved' })).toMatchObject({
      kind: 'incident',
    })
    expect(await make('PATCH', '/features/lot', { name: 'Lot 2' })).toMatchObject({ kind: 'parcel' })
    expect(await make('PATCH', '/features/spring', { name: 'Spring' })).toMatchObject({ kind: 'feature' })
    const well = { kind: 'asset', id: 'well', name: 'Well', geometry: point() }
    expect(await make('POST', '/features', well)).toMatchObject({ event: 'feature.added', version: 1 })
    const several = {
      id: 'several',
      items: ['tank', 'well'].map((id) => ({ action: 'change', id, change: { description: 'Loud' } })),
    }
    const many = { event: 'features.changed', subject: null, kind: null, version: null }
    const versions = await database.read.selectFrom('features').select(['id', 'version']).execute()
    const versionOf = (id: string) => versions.find((row) => row.id === id)?.version
    const items = several.items.map((item) => ({ ...item, version: versionOf(item.id) }))
    expect(await make('POST', '/features/changes', { ...several, items })).toEqual(many)
    expect(await make('POST', '/changes/several/undo', { id: 'undone' })).toEqual(many)
    expect(
      await make('PUT', '/configuration', { ...(await configurationOf(app)), startZoom: 9 }),
    ).toMatchObject({
      event: 'configuration.changed',
    })
  })

  it('has one row for a bulk change of any size', async () => {
    const database = await start({})
    await storeFeatures(
      database,
      Array.from({ length: 1_200 }, (_, index) => anAsset({ id: `tank-${index}` })),
    )
    await using app = await startTestApp(database)
    const payload = { id: 'bulk', kind: 'change', patch: { status: 'offline' }, filter: {} }
    const url = `/api/maps/${mapId}/bulk-changes`
    const answer = await app.send({ method: 'POST', url, headers: await signIn(database), payload })
    expect(answer.statusCode, answer.body).toBe(200)
    const jobs = startJobRunner(database, ownJobKinds, { onError: console.error, pollMs: null })
    await jobs.work()
    await jobs.close()
    expect(await outbox(database)).toMatchObject([{ event: 'features.changed', subject: null }])
  })

  it('has one row for an import, and one for undoing it', async () => {
    const database = await start({})
    const rows = Array.from({ length: 2_500 }, (_, index) => `${index},Hydrant ${index},34,-111`)
    const input = inputOf(`id,name,lat,lng\n${rows.join('\n')}`)
    const { importId } = await importFeatures(database, input, { mapId, kind: 'asset', source: 'hydrants' })
    const done = { event: 'import.done', subject: importId, kind: 'asset', version: null }
    expect(await outbox(database)).toMatchObject([done])
    await undoImport(database, { importId: importId ?? '' })
    const events = (await outbox(database)).map(({ event, kind }) => `${event} ${kind}`)
    expect(events.toSorted()).toEqual(['import.done asset', 'import.undone asset'])
  })

  it('has no row for a change that was rolled back', async () => {
    const database = await start({})
    const failing = database.write(async (transaction) => {
      await recordActivity(transaction, { mapId, action: 'features.imported' }, Date.now())
      throw new Error('refused')
    })
    await expect(failing).rejects.toThrow('refused')
    expect(await outbox(database)).toEqual([])
  })

  it('has a row for each enabled endpoint that wants the event, the kind and the map', async () => {
    const database = await start(
      { id: 'all' },
      { id: 'assets', events: '["feature.added"]', kinds: '["asset"]' },
      { id: 'incidents', events: '["feature.added","import.done"]', kinds: '["incident"]' },
      { id: 'changes', events: '["feature.changed"]' },
      { id: 'off', off_at: 1, off_reason: 'switched-off' },
    )
    await storeClient(database, 'elm-park')
    await storeFeatures(database, [anAsset({ id: 'tank' })])
    const record = async (activity: Parameters<typeof recordActivity>[1]) => {
      await database.write((transaction) => recordActivity(transaction, activity, Date.now()))
      const { read } = database
      const rows = await read.selectFrom('webhook_deliveries').select('endpoint_id').execute()
      await takeOutbox(database)
      return rows.map(({ endpoint_id }) => endpoint_id).toSorted()
    }
    expect(await record({ mapId, action: 'feature.added', subject: 'tank' })).toEqual(['all', 'assets'])
    expect(await record({ mapId, action: 'feature.changed', subject: 'tank' })).toEqual(['all', 'changes'])
    expect(await record({ mapId, action: 'feature.added', subject: randomUUID() })).toEqual([
      'all',
      'assets',
      'incidents',
    ])
    expect(await record({ mapId, action: 'features.imported' })).toEqual(['all', 'incidents'])
    expect(await record({ mapId: 'elm-park', action: 'feature.added', subject: 'tank' })).toEqual([])
  })
})

async function configurationOf(app: Awaited<ReturnType<typeof startTestApp>>) {
  const { configuration } = await app.getJson<{ configuration: object }>(`/api/maps/${mapId}/configuration`)
  return configuration
}
