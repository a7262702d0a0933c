import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The latest check of the parcels of each map. */
export const landChecksMigration: Migration = {
  name: '050-land-checks',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    await sql
      .raw(
        `create table land_checks (
          map_id ${key} not null primary key references maps,
          id ${key} not null,
          state text not null,
          progress double precision not null,
          result text,
          failure text,
          created_at bigint not null,
          finished_at bigint
        )`,
      )
      .execute(transaction)
  },
}
