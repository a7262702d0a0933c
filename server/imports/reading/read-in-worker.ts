import { startThreads } from '../../processes/threads.ts'
import type { ImportFile } from '../formats/read-records.ts'
import { type Advice, ImportError } from '../import-error.ts'
import type { ReadingOptions } from '../import-options.ts'
import type { ReadingKey, RowBatch } from './read-batches.ts'

export type ReadingTask = { file: ImportFile; options: ReadingOptions; key: ReadingKey }

/** The next rows, or none any more. An error that crosses the thread's border would lose what it is. */
export type ReadingAnswer = RowBatch | { failure: Advice } | undefined

/** So many batches are read ahead while rows are written. More would only take memory. */
const batchesAhead = 4

/** `readBatches` of a file, in a thread: reading takes as long as writing does. */
export async function* readBatchesInWorker(task: ReadingTask): AsyncGenerator<RowBatch> {
  const threads = startThreads<'next', ReadingAnswer>(new URL('./reading.worker.ts', import.meta.url), 1, {
    workerData: task,
  })
  const asked: Promise<ReadingAnswer>[] = []
  try {
    for (;;) {
      while (asked.length < batchesAhead) {
        const next = threads.ask('next')
        // The loop below awaits it, unless an earlier one fails first: then its rejection is ignored.
        next.catch(() => {})
        asked.push(next)
      }
      const batch = await asked.shift()
      if (!batch) return
      if ('failure' in batch) throw new ImportError(batch.failure.message, batch.failure.remedy)
      yield batch
    }
  } finally {
    await threads.close()
  }
}
