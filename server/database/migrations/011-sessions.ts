import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const sessionsMigration: Migration = {
  name: '011-sessions',
  async up(transaction, engine) {
    for (const statement of statements(engine === 'postgres' ? 'text collate "C"' : 'text'))
      await sql.raw(statement).execute(transaction)
  },
}

const statements = (key: string) => [
  `alter table sessions add column provider_session ${key}`,
  `create index sessions_of_persons on sessions (person_id)`,
  `create table sign_outs (
    id_hash ${key} primary key,
    provider_url text not null,
    created_at bigint not null
  )`,
  `create table logout_tokens (
    id_hash ${key} primary key,
    created_at bigint not null
  )`,
  `create table last_roles (
    person_digest ${key} primary key,
    roles text not null,
    signed_in_at bigint not null
  )`,
]
