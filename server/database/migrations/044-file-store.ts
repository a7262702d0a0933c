import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The id of the file store that belongs to this database; at most one row. */
export const fileStoreMigration: Migration = {
  name: '044-file-store',
  async up(transaction) {
    await sql`
      create table file_store (
        kind text not null primary key check (kind = 'files'),
        id text not null
      )`.execute(transaction)
  },
}
