import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const drawingsMigration: Migration = {
  name: '005-drawings',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table drawings (
        map_id ${key} not null references maps,
        id ${key} not null,
        kind text not null,
        geometry text not null,
        vertex_count integer not null,
        name text not null,
        note text not null,
        author_id ${key} not null,
        author text not null,
        updated_by text not null,
        version integer not null,
        created_at bigint not null,
        updated_at bigint not null,
        primary key (map_id, id)
      )`,
      `create index drawings_in_order on drawings (map_id, created_at, id)`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
