import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Records which imports overwrote edits; these edits are no longer protected. */
export const replacedEditsMigration: Migration = {
  name: '026-replaced-edits',
  async up(transaction) {
    for (const statement of [
      `alter table imports add column replaces_edits integer not null default 0`,
      `alter table import_changes add column deed text not null default 'row'`,
    ])
      await sql.raw(statement).execute(transaction)
  },
}
