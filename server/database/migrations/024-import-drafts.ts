import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const importDraftsMigration: Migration = {
  name: '024-import-drafts',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table import_drafts (
        map_id ${key} not null references maps,
        id ${key} not null,
        person_id ${key} not null,
        person_name text not null,
        state text not null,
        attempt integer not null,
        settings text not null,
        found text,
        progress text,
        outcome text,
        undone text,
        problem text,
        import_id text not null,
        created_at bigint not null,
        changed_at bigint not null,
        primary key (map_id, id)
      )`,
      `create index import_drafts_by_age on import_drafts (changed_at)`,
      `create table import_draft_files (
        map_id ${key} not null,
        draft_id ${key} not null,
        list_order integer not null,
        name text not null,
        size bigint not null,
        received bigint not null,
        pieces text not null,
        primary key (map_id, draft_id, list_order),
        foreign key (map_id, draft_id) references import_drafts (map_id, id)
      )`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
