import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Protection from abuse: a secret for each map, and senders that staff block. They are hashes with that secret. */
export const sendersOfReportsMigration: Migration = {
  name: '059-senders-of-reports',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table report_secrets (
        map_id ${key} not null references maps,
        secret text not null,
        primary key (map_id)
      )`,
      `create table blocked_senders (
        map_id ${key} not null references maps,
        sender ${key} not null,
        report_id ${key} not null,
        until bigint not null,
        blocked_by text not null,
        primary key (map_id, sender)
      )`,
      `alter table reports add column sender ${key}`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
