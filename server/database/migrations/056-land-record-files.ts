import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The scanned plat, deed or survey of a change of land. */
export const landRecordFilesMigration: Migration = {
  name: '056-land-record-files',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    await sql.raw(`alter table land_changes add column record_file_id ${key}`).execute(transaction)
  },
}
