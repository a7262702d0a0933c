import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const importRoomMigration: Migration = {
  name: '043-import-room',
  async up(transaction) {
    await sql
      .raw('alter table import_drafts add column work_bytes bigint not null default 0')
      .execute(transaction)
    await sql.raw('alter table import_drafts add column trial_actor text').execute(transaction)
  },
}
