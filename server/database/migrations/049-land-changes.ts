import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Why land changed, and which lots each lot came from. Names are those at that time: lots may be removed later. */
export const landChangesMigration: Migration = {
  name: '049-land-changes',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    for (const statement of [
      `create table land_changes (
        map_id ${key} not null references maps,
        change_id ${key} not null,
        at bigint not null,
        actor text not null,
        record_type text,
        record_number text,
        record_date text,
        is_undone integer not null default 0,
        primary key (map_id, change_id)
      )`,
      `create table land_origins (
        map_id ${key} not null references maps,
        change_id ${key} not null,
        feature_id ${key} not null,
        name text not null,
        origin_id ${key} not null,
        origin_name text not null,
        primary key (map_id, feature_id, change_id, origin_id)
      )`,
      'create index land_origins_origin on land_origins (map_id, origin_id)',
    ])
      await sql.raw(statement).execute(transaction)
  },
}
