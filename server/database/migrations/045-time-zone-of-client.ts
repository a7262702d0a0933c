import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const timeZoneOfClientMigration: Migration = {
  name: '045-time-zone-of-client',
  async up(transaction) {
    await sql`alter table clients add column time_zone text`.execute(transaction)
  },
}
