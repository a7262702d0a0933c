import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** How an association handles reports. */
export const reportSettingsMigration: Migration = {
  name: '054-report-settings',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table report_settings (
        map_id ${key} not null references maps,
        version integer not null,
        settings text not null,
        changed_at bigint not null,
        changed_by text not null,
        primary key (map_id)
      )`,
      // Reports that exist, and those of servers of the previous version, wait for review.
      `alter table reports add column publication text not null default 'review'`,
      `alter table reports add column email_secret text`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
