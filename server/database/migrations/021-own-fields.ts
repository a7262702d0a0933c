import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const ownFieldsMigration: Migration = {
  name: '021-own-fields',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statement = `create table own_fields (
      map_id ${key} not null references maps,
      version integer not null,
      fields text not null,
      removed text not null,
      words_after ${key},
      changed_at bigint not null,
      changed_by text not null,
      primary key (map_id)
    )`
    await sql.raw(statement).execute(transaction)
  },
}
