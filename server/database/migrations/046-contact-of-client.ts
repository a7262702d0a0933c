import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const contactOfClientMigration: Migration = {
  name: '046-contact-of-client',
  async up(transaction) {
    await sql`alter table clients add column contact text`.execute(transaction)
    await sql`alter table clients add column is_sample integer not null default 0`.execute(transaction)
    await sql`update clients set is_sample = 1
      where map_id in (select map_id from activity where action = 'sample.created')`.execute(transaction)
  },
}
