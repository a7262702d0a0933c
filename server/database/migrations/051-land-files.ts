import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Files that moved from a removed lot to the one it was merged into, so that undo moves them back. */
export const landFilesMigration: Migration = {
  name: '051-land-files',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    await sql
      .raw(
        `create table land_files (
          map_id ${key} not null references maps,
          change_id ${key} not null,
          file_id ${key} not null,
          origin_id ${key} not null,
          feature_id ${key} not null,
          primary key (map_id, change_id, file_id)
        )`,
      )
      .execute(transaction)
  },
}
