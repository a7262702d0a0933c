import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const apiTokensMigration: Migration = {
  name: '030-api-tokens',
  async up(transaction, engine) {
    for (const statement of statements(engine === 'postgres' ? 'text collate "C"' : 'text'))
      await sql.raw(statement).execute(transaction)
  },
}

const statements = (key: string) => [
  `create table api_tokens (
    id ${key} primary key,
    token_hash ${key} not null unique,
    name text not null,
    issuer text not null,
    person_id ${key} not null,
    person_name text not null,
    scopes text not null,
    created_at bigint not null,
    expires_at bigint not null,
    last_used_at bigint
  )`,
  `create index api_tokens_of_persons on api_tokens (person_id)`,
  `create table api_token_maps (
    map_id ${key} not null references maps,
    token_id ${key} not null references api_tokens on delete cascade,
    primary key (map_id, token_id)
  )`,
  `create index maps_of_api_tokens on api_token_maps (token_id)`,
  `alter table activity add column token_id ${key}`,
  `alter table feature_history add column token_id ${key}`,
  `alter table bulk_changes add column token_id ${key}`,
]
