import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Duplicates that were merged into an incident, with the items that moved, so that undo restores them. Redacted photos. */
export const mergesMigration: Migration = {
  name: '055-merges',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table merges (
        map_id ${key} not null references maps,
        source_id ${key} not null,
        target_id ${key} not null,
        title text not null,
        note_id ${key},
        previous text,
        at bigint not null,
        actor text not null,
        primary key (map_id, source_id)
      )`,
      `create index merges_by_target on merges (map_id, target_id)`,
      `create table merged_items (
        map_id ${key} not null references maps,
        source_id ${key} not null,
        kind text not null,
        item_id ${key} not null,
        list_order integer not null,
        is_public integer not null,
        primary key (map_id, source_id, kind, item_id)
      )`,
      `alter table reports add column same_as ${key}`,
      `update reports set same_as = duplicate_of where state = 'new'`,
      `alter table incident_notes add column report_id ${key}`,
      `alter table files add column redacts ${key}`,
      `alter table reports add column original_description text`,
      `alter table incident_notes add column original_text text`,
      `create index notes_of_report on incident_notes (map_id, report_id) where report_id is not null`,
      `update incident_notes set report_id = incident_id where source = 'reporter'`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
