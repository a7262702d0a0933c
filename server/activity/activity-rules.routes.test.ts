import { expect, it } from 'vitest'
import { type ActivityAction, activityActions } from '#domain/activity/activity-rules.ts'
import { onEngine } from '#test/databases/databases.ts'
import { anAsset, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { listen } from '#test/server/event-streams.ts'
import { signIn } from '#test/server/signed-in.ts'
import { startTestApp } from '#test/server/test-app.ts'
import { recordActivity } from './activity.queries.ts'

const heardByVisitors: ActivityAction[] = [
  ...(['sample.created', 'features.imported', 'features.import-undone', 'features.rebuilt'] as const),
  ...(['configuration.applied', 'configuration.restored', 'configuration.removed'] as const),
  ...(['incident.resolved', 'incident.reopened', 'asset.status-changed'] as const),
  ...(['feature.added', 'feature.changed', 'feature.removed', 'feature.put-back'] as const),
  ...(['features.changed', 'features.bulk-changing', 'features.bulk-changed'] as const),
  ...(['file.published', 'file.hidden'] as const),
  ...(['maintenance.added', 'maintenance.changed', 'maintenance.removed'] as const),
  ...(['client.archived', 'database.restored'] as const),
]
const heardByVisitorsIfPublic: ActivityAction[] = [
  'report-settings.changed',
  ...(['incident.noted', 'incident.merged', 'incident.unmerged'] as const),
  ...(['fields.changed', 'file.changed', 'file.removed', 'file.put-back'] as const),
]
const heardByManagers: ActivityAction[] = [
  ...(['calendar.shared', 'calendar.switched-off', 'webhook.added', 'webhook.changed'] as const),
  ...(['webhook.secret-changed', 'webhook.removed', 'webhook.stopped'] as const),
]
const changingTiles: ActivityAction[] = [
  ...(['sample.created', 'features.imported', 'features.import-undone', 'features.rebuilt'] as const),
  ...(['incident.resolved', 'incident.reopened', 'asset.status-changed'] as const),
  ...(['feature.added', 'feature.changed', 'feature.removed', 'feature.put-back'] as const),
  ...(['features.changed', 'features.bulk-changing', 'features.bulk-changed'] as const),
  ...(['client.archived', 'client.restored', 'database.restored'] as const),
]
const mapId = 'oak-hills'
const inOrder = (actions: Iterable<string>) => [...new Set(actions)].sort()

onEngine('sqlite', 'each activity', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, mapId)
    await storeFeatures(database, [anAsset({ id: 'tank' })])
    return { database, app: await startTestApp(database) }
  }

  it.each([
    ['without a mark', {}, heardByVisitors],
    ['marked as not public', { isPublic: false }, heardByVisitors],
    ['marked as public', { isPublic: true }, [...heardByVisitors, ...heardByVisitorsIfPublic]],
  ])('%s is sent to callers who may see it', async (_what, details, expected) => {
    const { database, app } = await start()
    const editor = await signIn(database, ['editor:oak-hills'])
    const manager = await signIn(database, ['manager:oak-hills'])
    const streams = await Promise.all([
      listen(app, '?map=oak-hills'),
      listen(app, '?map=oak-hills', await signIn(database, ['manager:elsewhere'])),
      listen(app, '?map=oak-hills', editor),
      listen(app, '', editor),
      listen(app, '?map=oak-hills', manager),
      listen(app, '', manager),
    ])
    for (const actions of [activityActions.filter((one) => one !== 'client.archived'), ['client.archived']]) {
      await database.write(async (transaction) => {
        for (const action of actions as ActivityAction[])
          await recordActivity(transaction, { mapId, action, subject: 'some-id', details }, Date.now())
      })
      await app.changes.poll()
    }
    const heard = streams.map((stream) => inOrder(stream.changes().map(({ action }) => action)))
    const forStaff = activityActions.filter((action) => !heardByManagers.includes(action))
    const [visitors, staff, managers] = [expected, forStaff, activityActions].map(inOrder)
    expect(heard).toEqual([visitors, visitors, staff, staff, managers, managers])
    const named = (streams[0]?.changes() ?? []).filter(({ subject }) => subject !== null)
    const ofOthers = /^(features\.|configuration\.|sample\.|fields\.|database\.)/
    expect(named.map(({ action }) => action).filter((action) => ofOthers.test(action))).toEqual([])
  })

  it('is listed for callers who may see it', async () => {
    const { database, app } = await start()
    await database.write(async (transaction) => {
      for (const action of activityActions) await recordActivity(transaction, { mapId, action }, Date.now())
    })
    const list = async (role: string) => {
      const headers = await signIn(database, [`${role}:oak-hills`], { id: role, name: role })
      const { items, unread } = (await app.get(`/api/maps/${mapId}/activity?limit=100`, headers)).json()
      expect(unread).toBe(items.length)
      return inOrder(items.map(({ action }: { action: string }) => action))
    }
    const unlisted = ['sample.created', 'features.bulk-changing']
    const listed = activityActions.filter((action) => !unlisted.includes(action))
    expect(await list('manager')).toEqual(inOrder(listed))
    expect(await list('editor')).toEqual(
      inOrder(listed.filter((action) => !heardByManagers.includes(action))),
    )
  })

  it('drops cached tiles only if tiles change', async () => {
    const { database, app } = await start()
    const tile = `/api/maps/${mapId}/tiles/0/0/0.mvt`
    const dropping: ActivityAction[] = []
    let status = 'operational'
    for (const action of activityActions) {
      const before = (await app.get(tile)).headers.etag
      status = status === 'offline' ? 'operational' : 'offline'
      await database.write(async (transaction) => {
        await transaction.updateTable('features').set({ status }).where('id', '=', 'tank').execute()
        await recordActivity(transaction, { mapId, action }, Date.now())
      })
      await app.changes.poll()
      if ((await app.get(tile)).headers.etag !== before) dropping.push(action)
      else status = status === 'offline' ? 'operational' : 'offline'
    }
    expect(inOrder(dropping)).toEqual(inOrder(changingTiles))
  })

  it('follows those before it, also within a millisecond', async () => {
    const { database, app } = await start()
    const stream = await listen(app, `?map=${mapId}`)
    const subjects = Array.from({ length: 20 }, (_, index) => `i${index}`)
    await database.write(async (transaction) => {
      for (const subject of subjects)
        await recordActivity(transaction, { mapId, action: 'incident.reopened', subject }, Date.now())
    })
    await app.changes.poll()
    expect(stream.changes().map(({ subject }) => subject)).toEqual(subjects)
  })
})
