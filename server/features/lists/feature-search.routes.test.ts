import { request } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { featureKinds } from '#domain/definition/kinds.ts'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import type { WorkerLimits } from '#server/database/fair-queue.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { countingDatabase } from '#test/databases/counting-database.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { aQueueClient, askEndlessly } from '#test/databases/endless-query.ts'
import {
  anAsset,
  anIncident,
  aParcel,
  storeClient,
  storeFeatures,
  storeMap,
} from '#test/databases/feature-builders.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { type ListPosition, listFeatures, listFeaturesFrom } from './feature-list.queries.ts'
import { isQuickPage } from './feature-matches.queries.ts'

type Page = { items: { id: string }[]; next: string | null }

onEachEngine('a search', (createDatabase) => {
  async function start(limits: Partial<WorkerLimits> = {}) {
    const { location, ...created } = await createDatabase()
    await storeClient(created, 'oak-hills')
    await storeClient(created, 'quiet')
    const tank = anAsset({ id: 'tank', name: 'Old water tank', description: 'by the mill on the hill' })
    await storeFeatures(created, [tank, anIncident(), aParcel(), anAsset({ id: 'pump', mapId: 'quiet' })])
    const opened = await openDatabase(location, undefined, { timeLimitMs: 3_600_000, ...limits })
    onTestFinished(() => opened.close())
    return Object.assign(opened, { location })
  }

  const inWorker = [
    'text=tank',
    'text=%20',
    'shape=line',
    'kind=parcel&shape=line',
    'type=fire',
    'status=resolved',
    'severity=high',
    'since=2026-01-01',
    'bbox=0,0,1,1',
    'at=tank',
    'sort=name',
    'offset=1001',
  ]
  const atHand = ['', 'kind=parcel', 'kind=asset,incident&limit=500', 'shape=&type=', 'offset=1000']

  it('is refused if too many wait, without blocking other requests', async () => {
    const database = await start({ atOnce: 1, maxWaiting: 0 })
    await using app = await startTestApp(database)
    const { leave } = await askEndlessly(database, 'oak-hills')
    for (const path of [
      ...inWorker.map((query) => `/api/maps/oak-hills/features?${query}`),
      '/api/maps/oak-hills/features/tank/position',
      '/api/maps/oak-hills/features/tank/position?sort=name',
      '/api/clients?text=oak',
      '/api/clients?text=-&state=open',
    ]) {
      const answer = await app.get(path)
      expect(expectProblem(answer, 503).detail, path).toMatch(/The server is busy/)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    for (const path of [
      ...atHand.map((query) => `/api/maps/oak-hills/features?${query}`),
      '/api/maps/oak-hills/features/tank',
      '/api/maps/oak-hills/counts?since=2026-01-01',
      '/api/maps/oak-hills',
      '/api/maps/oak-hills/tiles/0/0/0.mvt',
      '/api/clients',
      '/api/clients?text=%20',
      '/api/settings',
      '/health/ready',
    ])
      expect((await app.get(path)).statusCode, path).toBe(200)
    leave()
  })

  it('reports that it took too long', async () => {
    const database = await start({ timeLimitMs: 0 })
    await using app = await startTestApp(database)
    const answer = await app.get('/api/maps/oak-hills/features?text=tank')
    expect(expectProblem(answer, 503).detail).toMatch(/took too long/)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('on one map is answered while another one is flooded', async () => {
    const database = await start({ atOnce: 1, maxWaiting: 3 })
    await using app = await startTestApp(database)
    const { leave } = await askEndlessly(database, 'oak-hills')
    const order: string[] = []
    const ask = (mapId: string) =>
      app
        .get(`/api/maps/${mapId}/features?text=water`)
        .then(({ statusCode }) => order.push(`${mapId} ${statusCode}`))
    const flood = Array.from({ length: 10 }, () => ask('oak-hills'))
    await expect.poll(() => order.length).toBe(7)
    const other = ask('quiet')
    await expect.poll(() => order.length).toBe(8)
    expect(new Set(order)).toEqual(new Set(['oak-hills 503']))
    leave()
    await Promise.all([...flood, other])
    expect(order.slice(8).toSorted()).toEqual(['oak-hills 200', 'oak-hills 200', 'quiet 200'])
  })

  it('is dropped when its client disconnects', async () => {
    const database = await start({ atOnce: 1 })
    const started = Promise.withResolvers<void>()
    let answered: Promise<unknown> = Promise.resolve()
    const watched: TestDatabase = {
      ...database,
      readInWorker(caller, work) {
        const answer = database.readInWorker(caller, work)
        answered = answer
        started.resolve()
        return answer
      },
    }
    await using app = await startTestApp(watched)
    const { leave } = await askEndlessly(database, 'oak-hills')
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const client = request(`${address}/api/maps/oak-hills/features?text=tank`).end()
    client.on('error', () => {})
    await started.promise
    client.destroy()
    await expect(answered).rejects.toMatchObject({ reason: 'left' })
    leave()
  })

  it('uses at most eight distinct words, and none that is a prefix of another', async () => {
    await using app = await startTestApp(await start())
    const find = async (text: string) => {
      const page = await app.getJson<Page>(`/api/maps/oak-hills/features?${new URLSearchParams({ text })}`)
      return page.items.map(({ id }) => id)
    }
    expect(await find('water WATER w wat')).toEqual(['tank'])
    expect(await find('waterx water')).toEqual([])
    expect(await find('old water tank by the mill on hill')).toEqual(['tank'])
    expect(await find('old water tank by the mill on hill q')).toEqual(['tank'])
    expect(await find('old water tank by the mill on hill quarry')).toEqual([])
    expect(await find(`${'a b c d e f g h i j k l '.repeat(8)}`)).toEqual([])
  })
})

onEngine('sqlite', 'a page of an index', (createDatabase) => {
  it('reads no more rows than it has, wherever it begins', async () => {
    const database = await createDatabase()
    await storeMap(database, 'oak-hills')
    const makers = [anAsset, anIncident, aParcel]
    const features = Array.from({ length: 3_600 }, (_, index) => makers[index % 3]?.() ?? anAsset())
    await storeFeatures(database, features)
    const { database: counting, passed } = countingDatabase(database)
    const caller = aQueueClient('oak-hills')
    const limit = 50
    const expectFew = (rows: number) => {
      const count = passed()
      expect(count).toBeGreaterThan(0)
      // One extra row to detect the next page; each kind begins at the row that ended the last page.
      expect(count).toBeLessThanOrEqual(rows + 1 + featureKinds.length)
    }
    const extraFields = { fields: [], customFields: noCustomFields, seesPersonalData: true, isStaff: true }
    const filters = [
      {},
      ...featureKinds.map((kind) => ({ kind: [kind] })),
      ...featureKinds.map((excluded) => ({ kind: featureKinds.filter((kind) => kind !== excluded) })),
    ]
    for (const filter of filters) {
      expect(isQuickPage(filter, { offset: 1_000 })).toBe(true)
      await listFeaturesFrom(counting, caller, filter, { limit, offset: 1_000, sort: undefined }, extraFields)
      expectFew(1_000 + limit)
      let after: ListPosition | null = { kind: '', dateOrder: 0, nameOrder: '', id: '' }
      while (after) {
        const { last } = await listFeatures(counting, caller, filter, { limit, after }, extraFields)
        expectFew(limit)
        after = last
      }
    }
  })
})
