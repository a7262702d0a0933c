import type { Database } from '../../database/database.ts'
import type { ImportFile, ImportInput } from '../formats/read-records.ts'
import type { ImportOptions, ImportProgress, StagedRecords } from '../import-options.ts'
import { type ReadingKey, type RowBatch, readBatches } from '../reading/read-batches.ts'
import { readBatchesInWorker } from '../reading/read-in-worker.ts'
import { takeOutPlaceless } from './placeless-rows.queries.ts'
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
  let placeless = 0
  const present = new Set<string>()
  const batches =
    'path' in input
      ? readBatchesInWorker({ file: input, options: reading, key })
      : readBatches(input, reading, key)
  for await (const batch of batches) {
    signal?.throwIfAborted()
    for (const message of batch.notices) onNotice({ message })
    const refused = await takeOutPlaceless(database.read, options.mapId, batch)
    placeless += refused.length
    const news = [...batch.news, ...refused].sort((one, other) => one.rowNumber - other.rowNumber)
    for (const row of news) {
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
  counts.refused += placeless
  return { counts, staged: staged - placeless, lastRow: counts.rows, bytesRead, present, survey: last.survey }
}
