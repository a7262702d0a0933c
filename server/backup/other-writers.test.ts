import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contentOf, fillDatabase, runRestore } from '#test/databases/backups.ts'
import { onEachEngine, onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import { featureColumns } from '../imports/publishing/feature-columns.ts'
import { writeBackup } from './write-backup.ts'

async function backUp(source: TestDatabase) {
  await fillDatabase(source)
  const file = join(source.location.dataDirectory, 'one.backup.gz')
  await writeBackup(source, file, { isForced: false })
  return file
}

onEngine('postgres', 'a restore', (createDatabase) => {
  it('waits for concurrent changes, and replaces them too', async () => {
    const source = await createDatabase()
    const file = await backUp(source)
    const database = await createDatabase()
    let restoring: ReturnType<typeof runRestore.start> | undefined
    await database.write(async (transaction) => {
      const activity = { mapId: 'elsewhere', action: 'features.imported' } as const
      await insertActivity(transaction, activity, Date.now())
      restoring = runRestore.start(database.location, file, '--replace')
      let hasEnded = false
      void restoring.exited.finally(() => {
        hasEnded = true
      })
      while (!hasEnded && !(await isSomebodyWaiting(database)));
    })
    expect(await restoring?.exited).toBe(0)
    expect(await contentOf(database)).toEqual(await contentOf(source))
  })
})

onEachEngine('a restore', (createDatabase) => {
  it('empties tables that a backup excludes', async () => {
    const source = await createDatabase()
    const file = await backUp(source)
    const database = await createDatabase()
    await fillDatabase(database)
    await database.write(async (transaction) => {
      const row = await transaction
        .selectFrom('features')
        .select(featureColumns)
        .limit(1)
        .executeTakeFirstOrThrow()
      await transaction
        .insertInto('staged_features')
        .values({ ...row, import_id: 'i', row_number: 1 })
        .execute()
    })
    expect(await runRestore(database.location, file, '--replace')).toMatchObject({ code: 0 })
    expect(await database.read.selectFrom('staged_features').select('id').execute()).toEqual([])
  })
})

async function isSomebodyWaiting({ read }: TestDatabase) {
  const { rows } = await sql`
    select 1 from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and not granted`.execute(read)
  return rows.length > 0
}
