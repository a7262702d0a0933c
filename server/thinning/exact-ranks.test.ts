import fc from 'fast-check'
import { beforeAll, it } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeMap } from '#test/databases/feature-builders.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { arbitraryChange, type Change, featureOf, geometryOfSeed } from '#test/random/arbitrary-changes.ts'
import { timeLimit, times } from '#test/random/how-much.ts'
import { expectExactRanks } from '#test/server/expect-exact-ranks.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { lockFeatures } from '../features/rows/feature-rows.queries.ts'
import { importFeatures } from '../imports/import-features.ts'
import { listImports } from '../imports/publishing/imports.queries.ts'
import { undoImport } from '../imports/publishing/undo-import.ts'
import {
  insertFeatures,
  lockRanks,
  removeFeatures,
  updateFeatures,
  writeFeatures,
} from './write-features.queries.ts'

// After any sequence of changes, ranks, counts and extent equal those computed from scratch.

/** Enough for adjusting ranks instead of ranking the whole map. */
const crowd = 150

onEachEngine('ranks and counts', (createDatabase) => {
  let database: TestDatabase
  let maps = 0
  beforeAll(async () => {
    database = await createDatabase()
  })

  it(
    'stay exact after any changes',
    async () => {
      const property = fc.asyncProperty(
        fc.array(arbitraryChange, { minLength: 15, maxLength: 25 }),
        async (changes) => {
          const mapId = `m-${++maps}`
          await storeMap(database, mapId)
          await insert(Array.from({ length: crowd }, (_, index) => featureOf(mapId, `c${index}`, index)))
          await expectExactRanks(database, mapId)
          for (const change of changes) {
            await apply(mapId, change)
            await expectExactRanks(database, mapId)
          }
        },
      )
      await fc.assert(property, { numRuns: times(6), seed: 4, endOnFailure: true })
    },
    timeLimit(120_000),
  )

  const insert = (rows: FeatureColumns[]) =>
    database.write((transaction) => insertFeatures(transaction, database.engine, rows))

  async function idsOf(mapId: string, pick: number, count: number) {
    const rows = await database.read
      .selectFrom('features')
      .select('id')
      .where('map_id', '=', mapId)
      .orderBy('id')
      .execute()
    return rows
      .map(({ id }) => id)
      .slice(pick % Math.max(1, rows.length))
      .slice(0, count)
  }

  async function apply(mapId: string, change: Change) {
    const { engine } = database
    if (change.does === 'insert') {
      const ids = new Set(await idsOf(mapId, 0, 10_000))
      const rows = change.seeds.map((seed) => featureOf(mapId, `n${seed}`, seed))
      return insert(
        rows.filter(({ id }, index) => !ids.has(id) && rows.findIndex((row) => row.id === id) === index),
      )
    }
    if (change.does === 'import') return importLots(database, mapId, change)
    if (change.does === 'undo') return undoOne(database, mapId, change.pick)
    const [id, ...more] = await idsOf(mapId, change.pick, change.does === 'remove' ? change.count : 1)
    if (id === undefined) return
    if (change.does === 'remove')
      return database.write((transaction) =>
        removeFeatures(transaction, engine, mapId, [id, ...more, 'nobody']),
      )
    const row = featureOf(mapId, id, change.seed)
    await database.write(async (transaction) => {
      await lockRanks(transaction, engine, mapId)
      const feature = (await lockFeatures(database, transaction, mapId, [id])).get(id)
      const update = (columns: Partial<FeatureColumns>) =>
        feature && updateFeatures(transaction, engine, mapId, [{ previous: feature, change: columns }])
      if (change.does === 'edit' && feature) await update(row)
      else if (change.does === 'rename' && feature) await update({ name: 'Other', status: 'offline' })
      else
        await writeFeatures(transaction, engine, { mapId, changes: 1 }, async (writer) => {
          await writer.remove([id])
          await writer.insert([row])
        })
    })
  }
})

/** Reuses ids, so that a second import moves the features. */
async function importLots(
  database: TestDatabase,
  mapId: string,
  { kind, seeds, source }: Extract<Change, { does: 'import' }>,
) {
  const features = [...new Set(seeds)].map((seed) => ({
    type: 'Feature',
    id: seed % 40,
    properties: { date: `2026-05-1${seed % 10}`, type: ['fire', 'road', null][seed % 3] },
    geometry: geometryOfSeed(seed),
  }))
  const input = inputOf(JSON.stringify({ type: 'FeatureCollection', features }))
  await importFeatures(database, input, { mapId, kind, source })
}

async function undoOne(database: TestDatabase, mapId: string, pick: number) {
  const done = (await listImports(database.read, mapId)).filter(({ state }) => state === 'done')
  const record = done[pick % Math.max(1, done.length)]
  if (record) await undoImport(database, { mapId, importId: record.id, confirm: async () => true })
}
