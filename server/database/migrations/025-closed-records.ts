import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Remembers closed records for a while, so that late reports of a page do not open them again. */
export const closedRecordsMigration: Migration = {
  name: '025-closed-records',
  async up(transaction) {
    await sql
      .raw(`alter table open_records add column is_closed integer not null default 0`)
      .execute(transaction)
  },
}
