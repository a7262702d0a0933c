import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Notices to the people of an area who agreed to get them, and temporary bounces of emails. */
export const noticesMigration: Migration = {
  name: '060-notices',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `alter table subscriptions add column notices integer not null default 0`,
      `alter table subscriptions add column delays text`,
      `alter table reports add column delays text`,
      `create table notices (
        map_id ${key} not null references maps,
        id ${key} not null,
        subject text not null,
        message text not null,
        recipients integer not null,
        sent_by text not null,
        sent_at bigint not null,
        queued_at bigint,
        primary key (map_id, id)
      )`,
      `create index notices_by_time on notices (map_id, sent_at)`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
