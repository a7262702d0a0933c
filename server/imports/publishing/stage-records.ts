import type { Database } from '../../database/database.ts'
import type { ImportInput } from '../formats/read-records.ts'
import type { ImportOptions, ImportProgress, StagedRecords } from '../import-options.ts'
import { type ReadingKey, type RowBatch, readBatches } from '../reading/read-batches.ts'
import { type ImportFile, readBatchesInWorker } from '../reading/read-in-worker.ts'
import { StagingArea } from './staging-area.ts'

/** Reads a whole file, and stages every row that can become a feature: nobody sees staged rows. */
export async function stageRecords(
  database: Database,
  input: ImportInput | ImportFile,
  options: ImportOptions,
  key: ReadingKey,
  onProgress: (progress: ImportProgress) => void,
): Promise<StagedRecords> {
  // The rest is sent to another thread, which functions cannot be.
  const { onRow = () => {}, onNotice = () => {}, confirm: _, trial: __, signal, ...reading } = options
  const staging = new StagingArea(database)
  let last: RowBatch | undefined
  const present = new Set<string>()
  const batches =
    'path' in input
      ? readBatchesInWorker({ file: input, options: reading, key })
      : readBatches(input, reading, key)
  for await (const batch of batches) {
    signal?.throwIfAborted()
    for (const message of batch.notices) onNotice({ message })
    for (const row of batch.news) {
      onRow(row)
      if (row.outcome !== 'repaired' && row.featureId !== undefined) present.add(row.featureId)
    }
    await staging.add(batch)
    last = batch
    const { rows, bytesRead } = batch.total
    onProgress({ phase: 'reading', rows, bytesRead, totalBytes: input.totalBytes })
  }
  await staging.flush()
  if (!last?.survey) throw new Error('The file was not read to its end.')
  const { staged, bytesRead, ...counts } = last.total
  return { counts, staged, lastRow: counts.rows, bytesRead, present, survey: last.survey }
}
