import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const staffMigration: Migration = {
  name: '002-staff',
  async up(transaction, engine) {
    for (const statement of statements(engine === 'postgres' ? 'text collate "C"' : 'text'))
      await sql.raw(statement).execute(transaction)
  },
}

const statements = (key: string) => [
  `alter table clients add column version integer not null default 1`,
  `alter table map_configurations add column restored_from integer`,
  `alter table activity add column actor_id ${key}`,
  `create index activity_of_map on activity (map_id, at, id)`,
  `create table activity_reads (
    map_id ${key} not null references maps,
    person_id ${key} not null,
    read_at bigint not null,
    primary key (map_id, person_id)
  )`,
  // Without a map: few, short-lived, and found by key alone.
  `create table sessions (
    id_hash ${key} primary key,
    person_id ${key} not null,
    person_name text not null,
    roles text not null,
    id_token text,
    created_at bigint not null,
    expires_at bigint not null,
    last_seen_at bigint not null
  )`,
  `create index sessions_by_end on sessions (expires_at)`,
  `create table sign_ins (
    id_hash ${key} primary key,
    checks text not null,
    return_to text not null,
    created_at bigint not null
  )`,
  `create table idempotency_keys (
    person_id ${key} not null,
    idempotency_key ${key} not null,
    request_hash ${key} not null,
    status integer not null,
    answer text not null,
    created_at bigint not null,
    primary key (person_id, idempotency_key)
  )`,
]
