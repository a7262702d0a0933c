import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** A reporter can change the address a few times, and cannot write again to one that ended the emails. */
export const limitsOfReportersMigration: Migration = {
  name: '062-limits-of-reporters',
  async up(transaction) {
    const statements = [
      'alter table reports add column email_changes integer not null default 0',
      `alter table reports add column ended_emails text not null default ''`,
      'alter table uploads add column progress_at bigint',
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
