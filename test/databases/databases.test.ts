import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { WriteTransaction } from '#server/database/database.ts'
import { contentOf, fillDatabase } from './backups.ts'
import { type Engine, onEachEngine, type TestDatabase } from './databases.ts'

const changes: Record<string, (transaction: WriteTransaction, engine: Engine) => Promise<unknown>> = {
  rows: async () => {},
  'a column': (transaction) => sql`alter table clients add column left_behind text`.execute(transaction),
  'a migration': (transaction) =>
    transaction.insertInto('migrations').values({ name: '999-left', applied_at: 1 }).execute(),
  'a history that can be deleted': (transaction, engine) =>
    engine === 'sqlite'
      ? sql`drop trigger activity_no_delete`.execute(transaction)
      : sql`alter table activity disable trigger user`.execute(transaction),
}
const names = Object.keys(changes)

async function inspect(database: TestDatabase) {
  const { maintenance, read } = database
  return {
    tables: await maintenance.describeTables(read),
    content: await contentOf(database),
    migrations: await read.selectFrom('migrations').selectAll().orderBy('name').execute(),
  }
}

onEachEngine('the database of a test', (createDatabase) => {
  let asMade: Awaited<ReturnType<typeof inspect>>
  beforeAll(async () => {
    asMade = await inspect(await createDatabase())
    expect(Object.values(asMade.content).flat()).toEqual([])
  })

  it.each(['none', ...names].map((before, index) => [before, names[index] ?? 'rows'] as const))(
    'is unchanged after a test that changed %s',
    async (_before, change) => {
      const database = await createDatabase()
      expect(await inspect(database)).toEqual(asMade)
      await fillDatabase(database)
      const forgetting = database.write((transaction) => transaction.deleteFrom('activity').execute())
      await expect(forgetting).rejects.toThrow('append-only')
      await database.write(async (transaction) => changes[change]?.(transaction, database.engine))
    },
  )
})
