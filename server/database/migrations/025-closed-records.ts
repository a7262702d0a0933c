import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** A page that has closed a record is still known for a while, so that what it said before and comes late opens nothing. */
export const closedRecordsMigration: Migration = {
  name: '025-closed-records',
  async up(transaction) {
    await sql
      .raw(`alter table open_records add column is_closed integer not null default 0`)
      .execute(transaction)
  },
}
