import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Notes on incidents, links for contractors, and the state of reports in emails. */
export const workMigration: Migration = {
  name: '053-work',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table incident_notes (
        map_id ${key} not null references maps,
        id ${key} not null,
        incident_id ${key} not null,
        at bigint not null,
        source text not null,
        author text,
        text text not null,
        state text,
        is_public integer not null,
        is_waiting integer not null,
        primary key (map_id, id)
      )`,
      `create index notes_of_incident on incident_notes (map_id, incident_id, at, id)`,
      `create index waiting_notes on incident_notes (map_id, incident_id) where is_waiting = 1`,
      `create table work_links (
        map_id ${key} not null references maps,
        id ${key} not null,
        incident_id ${key} not null,
        secret text not null,
        name text not null,
        email text,
        created_by text not null,
        created_at bigint not null,
        expires_at bigint not null,
        revoked_at bigint,
        done_at bigint,
        mailed_at bigint,
        mail_problem text,
        primary key (map_id, id)
      )`,
      `create index work_links_of_incident on work_links (map_id, incident_id, created_at)`,
      `alter table reports add column mailed text`,
      `alter table reports add column mail_problem text`,
      `create index reports_by_duplicate on reports (map_id, duplicate_of) where duplicate_of is not null`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
