import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const filesOfEntriesMigration: Migration = {
  name: '022-files-of-entries',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    for (const statement of [
      `alter table uploads add column maintenance_id ${key}`,
      `create index files_of_entries on files (maintenance_id) where maintenance_id is not null`,
    ])
      await sql.raw(statement).execute(transaction)
  },
}
