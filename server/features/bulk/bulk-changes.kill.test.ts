import { expect, it } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, point, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { timeLimit, times } from '#test/random/how-much.ts'
import { startNode } from '#test/server/processes.ts'
import { startBulkChange } from './bulk-changes.commands.ts'
import { readSelectedByFilter } from './bulk-changes.queries.ts'

// A bulk change has at most 100,000 records.
const kills = Math.min(times(3), 60)
const total = 1_600 * kills

const person = { id: 'maya', name: 'Maya', roles: { isAdministrator: true, ofMaps: {} } }

onEachEngine('a bulk change whose process is killed', (createDatabase) => {
  it(
    `continues after ${kills} kills without lost or repeated changes`,
    async () => {
      const database = await createDatabase()
      const mapId = 'oak-hills'
      await storeClient(database, mapId)
      await storeFeatures(
        database,
        Array.from({ length: total }, (_, index) =>
          anAsset({ id: `hydrant-${index}`, geometry: point(-111 + index / 10_000, 34) }),
        ),
      )
      const caller = { mapId, signal: new AbortController().signal }
      const selected = await readSelectedByFilter(database, caller, {}, [])
      const operation = { kind: 'change', patch: { status: 'maintenance' } } as const
      await startBulkChange(database, { mapId, person, id: 'bulk' }, operation, {
        selected: selected,
        count: total,
      })
      const row = () => database.read.selectFrom('bulk_changes').selectAll().executeTakeFirstOrThrow()

      const changedAtKills: number[] = []
      for (let kill = 0; kill < kills; kill++) {
        await using worker = startNode('test/databases/run-jobs.ts', [JSON.stringify(database.location)])
        const before = (await row()).changed
        await expect
          .poll(async () => (await row()).changed, { interval: 5, timeout: 30_000 })
          .toBeGreaterThan(before)
        await worker.stop('SIGKILL')
        changedAtKills.push((await row()).changed)
      }
      expect((await row()).state, changedAtKills.join()).toBe('running')
      await using _ = startNode('test/databases/run-jobs.ts', [JSON.stringify(database.location)])
      await expect.poll(async () => (await row()).state, { timeout: timeLimit(60_000) }).toBe('done')

      expect(await row()).toMatchObject({ changed: total, same: 0, left_count: 0 })
      const { read } = database
      const features = await read.selectFrom('features').select(['status', 'version']).execute()
      expect(features).toHaveLength(total)
      for (const feature of features) expect(feature).toEqual({ status: 'maintenance', version: 2 })
      const history = await read.selectFrom('feature_history').select(['feature_id', 'version']).execute()
      expect(history).toHaveLength(total)
      expect(new Set(history.map(({ feature_id }) => feature_id)).size).toBe(total)
      const activity = await read.selectFrom('activity').select(['action', 'details']).execute()
      const bulkActivity = activity.filter(({ action }) => action === 'features.bulk-changed')
      expect(bulkActivity.map(({ details }) => JSON.parse(details).count)).toEqual([total])
      await expect.poll(() => read.selectFrom('jobs').selectAll().execute()).toEqual([])
    },
    24_000 * kills,
  )
})
