import type { Database } from '../database/database.ts'
import type { StagedFeaturesTable } from '../database/tables.ts'
import { rowsPerInsert } from '../features/store-features.queries.ts'
import { StagingInsert } from './imports.queries.ts'

/**
 * On PostgreSQL a transaction ends with a wait for the disk: a few large ones cost less than many small ones. On SQLite
 * nothing waits, and rows that are gone soon cost little memory.
 */
const maxBatchRows = { sqlite: rowsPerInsert, postgres: 10 * rowsPerInsert }

/** Large geometries fill a batch before its rows do. */
const maxBatchCharacters = 8 * 2 ** 20

/** Collects rows and writes them away in batches, each in a transaction of its own. */
export class StagingArea {
  private readonly database: Database
  private readonly stagingInsert = new StagingInsert()
  private rows: StagedFeaturesTable[] = []
  private characters = 0

  constructor(database: Database) {
    this.database = database
  }

  /** Returns whether it is time to flush. */
  add(row: StagedFeaturesTable): boolean {
    this.rows.push(row)
    this.characters += row.geometry.length + row.metadata.length + row.description.length
    return this.rows.length >= maxBatchRows[this.database.engine] || this.characters >= maxBatchCharacters
  }

  async flush() {
    const rows = this.rows
    this.rows = []
    this.characters = 0
    if (rows.length === 0) return
    await this.database.write(async (transaction) => {
      for (let start = 0; start < rows.length; start += rowsPerInsert)
        await this.stagingInsert.execute(transaction, rows.slice(start, start + rowsPerInsert))
    })
  }
}
