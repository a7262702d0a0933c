import { sql } from 'kysely'
import type { Migration } from './migration.ts'

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
