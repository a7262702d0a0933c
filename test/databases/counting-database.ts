import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { openConnection, sqliteStatements } from '#server/database/sqlite-connection.ts'
import type { Tables } from '#server/database/tables.ts'
import type { TestDatabase } from './databases.ts'

/** Counts the rows that feature queries scan on SQLite; reading `passed` resets it. */
export function countingDatabase({ location, ...database }: TestDatabase): {
  database: Database
  passed(): number
} {
  let count = 0
  const connection = openConnection(join(location.dataDirectory, 'poa.sqlite'), true, () => count++)
  const read = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: sqliteStatements(connection, 'begin') }),
  })
  onTestFinished(() => read.destroy())
  return {
    database: { ...database, read, readInWorker: (_asker, work) => work(read) },
    passed() {
      const passed = count
      count = 0
      return passed
    },
  }
}
