import type { WriteTransaction } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'

/** Rows of one insert: 29 columns stay below PostgreSQL's 65,535 and SQLite's 32,766 parameters. */
export const rowsPerInsert = 500

export async function insertFeatures(transaction: WriteTransaction, rows: readonly FeatureColumns[]) {
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await transaction
      .insertInto('features')
      .values(rows.slice(start, start + rowsPerInsert))
      .execute()
  }
}
