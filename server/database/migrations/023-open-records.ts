import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** A row expires 90 seconds after the page reported it last. */
export const openRecordsMigration: Migration = {
  name: '023-open-records',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table open_records (
        map_id ${key} not null references maps,
        feature_id ${key} not null,
        page_id ${key} not null,
        person_id ${key} not null,
        person_name text not null,
        is_editing integer not null,
        opened_at bigint not null,
        said_at bigint not null,
        primary key (map_id, feature_id, page_id)
      )`,
      `create index open_records_by_age on open_records (said_at)`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
