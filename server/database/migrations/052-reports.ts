import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Reports of residents. Accepted ones are also incidents of the same id in `features`. */
export const reportsMigration: Migration = {
  name: '052-reports',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table reports (
        map_id ${key} not null references maps,
        id ${key} not null,
        number integer not null,
        key_hash text not null,
        state text not null,
        title text not null,
        description text not null,
        type text not null,
        severity text,
        lng double precision not null,
        lat double precision not null,
        accuracy_meters double precision,
        asset_id ${key},
        email text,
        public_note text not null,
        duplicate_of ${key},
        made_at bigint not null,
        created_at bigint not null,
        decided_by text,
        decided_at bigint,
        version integer not null,
        primary key (map_id, id)
      )`,
      `create unique index reports_by_number on reports (map_id, number)`,
      `create index reports_with_email on reports (decided_at) where email is not null`,
      `create index reports_by_state on reports (map_id, state, number)`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
