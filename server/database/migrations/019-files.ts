import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Files do not reference features: they stay while the feature is removed, so that both can be restored. */
export const filesMigration: Migration = {
  name: '019-files',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table blobs (
        map_id ${key} not null references maps,
        sha256 ${key} not null,
        size bigint not null,
        unnamed_since bigint,
        primary key (map_id, sha256)
      )`,
      `create index blobs_unnamed on blobs (unnamed_since)`,
      `create table files (
        map_id ${key} not null references maps,
        id ${key} not null,
        feature_id ${key} not null,
        maintenance_id ${key},
        kind text not null,
        name text not null,
        caption text not null,
        list_order integer not null,
        is_public integer not null,
        size bigint not null,
        original ${key} not null,
        large ${key},
        small ${key},
        media_type text not null,
        width integer,
        height integer,
        lat double precision,
        lng double precision,
        taken_at text,
        added_at bigint not null,
        added_by text not null,
        added_by_id ${key} not null,
        version integer not null,
        removed_at bigint,
        removed_by text,
        primary key (map_id, id)
      )`,
      `create index files_of_features on files (map_id, feature_id, list_order)`,
      `create index files_removed on files (removed_at)`,
      `create table uploads (
        map_id ${key} not null references maps,
        id ${key} not null,
        feature_id ${key} not null,
        person_id ${key} not null,
        name text not null,
        size bigint not null,
        sha256 ${key},
        received bigint not null,
        pieces text not null,
        created_at bigint not null,
        primary key (map_id, id)
      )`,
      `create index uploads_by_age on uploads (created_at)`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
