import type { Database } from '../database/database.ts'
import type { StagedFeaturesTable } from '../database/tables.ts'
import { rowsPerInsert } from '../features/store-features.queries.ts'
import { stageFeatures } from './imports.queries.ts'

/** Large geometries fill a batch before its rows do. */
const maxBatchCharacters = 8 * 2 ** 20

/** Collects rows and writes them away in batches, each in a transaction of its own. */
export class StagingArea {
  private readonly database: Database
  private rows: StagedFeaturesTable[] = []
  private characters = 0

  constructor(database: Database) {
    this.database = database
  }

  /** Returns whether it is time to flush. */
  add(row: StagedFeaturesTable): boolean {
    this.rows.push(row)
    this.characters += row.geometry.length + row.metadata.length + row.description.length
    return this.rows.length >= rowsPerInsert || this.characters >= maxBatchCharacters
  }

  async flush() {
    const rows = this.rows
    this.rows = []
    this.characters = 0
    if (rows.length > 0) await this.database.write((transaction) => stageFeatures(transaction, rows))
  }
}
