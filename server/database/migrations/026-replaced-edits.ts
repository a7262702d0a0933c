import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** An import that was told to put aside what people had changed ends that it is kept. */
export const replacedEditsMigration: Migration = {
  name: '026-replaced-edits',
  async up(transaction) {
    await sql
      .raw(`alter table imports add column replaces_edits integer not null default 0`)
      .execute(transaction)
  },
}
