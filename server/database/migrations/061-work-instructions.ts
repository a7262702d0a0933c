import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const workInstructionsMigration: Migration = {
  name: '061-work-instructions',
  async up(transaction) {
    await sql
      .raw(`alter table work_links add column instructions text not null default ''`)
      .execute(transaction)
  },
}
