import type { Database } from '../../database/database.ts'
import type { RowBatch } from '../reading/read-batches.ts'
import { StagingInsert } from './imports.queries.ts'

/**
 * On PostgreSQL a transaction ends with a wait for the disk: a few large ones cost less than many small ones. On SQLite
 * nothing waits, and small transactions need less memory.
 */
const batchesPerTransaction = { sqlite: 1, postgres: 10 }

/** Writes rows into the stage, several batches in each transaction. */
export class StagingArea {
  private readonly database: Database
  private readonly stagingInsert = new StagingInsert()
  private batches: RowBatch[] = []

  constructor(database: Database) {
    this.database = database
  }

  async add(batch: RowBatch) {
    this.batches.push(batch)
    if (this.batches.length >= batchesPerTransaction[this.database.engine]) await this.flush()
  }

  async flush() {
    const batches = this.batches.filter(({ values }) => values.length > 0)
    this.batches = []
    if (batches.length === 0) return
    await this.database.write(async (transaction) => {
      for (const batch of batches) await this.stagingInsert.execute(transaction, batch)
    })
  }
}
