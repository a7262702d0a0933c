import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Null until the next sign-in. */
export const namesOfPeopleMigration: Migration = {
  name: '047-names-of-people',
  async up(transaction) {
    await sql`alter table last_roles add column person_name text`.execute(transaction)
    await sql`alter table last_roles add column search_text text`.execute(transaction)
  },
}
