import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const backgroundExportsMigration: Migration = {
  name: '041-background-exports',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    await sql
      .raw(
        `create table background_exports (
          map_id ${key} not null references maps,
          id ${key} not null,
          person_id text not null,
          question text not null,
          selection text,
          file_name text not null,
          state text not null,
          attempt bigint not null,
          rows_read bigint not null,
          total bigint not null,
          pieces text not null,
          problem text,
          created_at bigint not null,
          finished_at bigint,
          primary key (map_id, id)
        )`,
      )
      .execute(transaction)
  },
}
