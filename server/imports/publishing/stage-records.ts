import type { Database } from '../../database/database.ts'
import type { ImportFile, ImportInput } from '../formats/read-records.ts'
import type { ImportWatch } from '../import-watch.ts'
import { type ReadBatch, readBatches } from '../reading/read-batches.ts'
import { readBatchesInWorkers } from '../reading/read-in-worker.ts'
import type { ReadingKey, RowBatch, RowCounts } from '../reading/read-rows.ts'
import type { ReadingOptions } from '../reading/reading-options.ts'
import type { Survey } from '../reading/survey.ts'
import { StagingInsert } from './imports.queries.ts'
import { takeOutPlaceless } from './staged-rows.queries.ts'

/** All rows but the refused ones are staged. */
export type StagedRecords = {
  counts: RowCounts
  staged: number
  lastRow: number
  bytesRead: number
  /** Ids of features whose rows are in the file but are not imported. */
  inFile: ReadonlySet<string>
  survey: Survey
}

export async function stageRecords(
  database: Database,
  input: ImportInput | ImportFile,
  options: ReadingOptions,
  key: ReadingKey,
  { onRow, onNotice, onProgress, signal }: ImportWatch,
): Promise<StagedRecords> {
  const staging = new StagingArea(database)
  let last: ReadBatch | undefined
  let placeless = 0
  const inFile = new Set<string>()
  const batches =
    'path' in input ? readBatchesInWorkers({ file: input, options, key }) : readBatches(input, options, key)
  for await (const batch of batches) {
    signal?.throwIfAborted()
    for (const message of batch.notices) onNotice?.({ message })
    const refused = await takeOutPlaceless(database.read, options.mapId, batch)
    placeless += refused.length
    for (const row of [...batch.reported, ...refused].sort((one, other) => one.rowNumber - other.rowNumber)) {
      onRow?.(row)
      if (row.outcome !== 'repaired' && row.featureId !== undefined) inFile.add(row.featureId)
    }
    await staging.add(batch)
    last = batch
    const { rows, bytesRead } = batch.total
    onProgress?.({ phase: 'reading', rows, bytesRead, totalBytes: input.totalBytes })
  }
  await staging.flush()
  if (!last?.survey) throw new Error('The file was not read to its end.')
  const { staged, bytesRead, ...counts } = last.total
  counts.refused += placeless
  return { counts, staged: staged - placeless, lastRow: counts.rows, bytesRead, inFile, survey: last.survey }
}

/**
 * On PostgreSQL a transaction ends with a wait for the disk: a few large ones cost less than many small ones. On SQLite
 * nothing waits, and small transactions need less memory.
 */
const batchesPerTransaction = { sqlite: 1, postgres: 10 }

class StagingArea {
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
