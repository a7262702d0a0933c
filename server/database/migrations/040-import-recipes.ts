import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const importRecipesMigration: Migration = {
  name: '040-import-recipes',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    await sql
      .raw(
        `create table import_recipes (
          map_id ${key} not null references maps,
          source ${key} not null,
          import_id ${key} not null,
          columns text not null,
          settings text not null,
          imported_at bigint not null,
          primary key (map_id, source)
        )`,
      )
      .execute(transaction)
  },
}
