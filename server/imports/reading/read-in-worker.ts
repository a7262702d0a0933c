import { startThreads } from '../../processes/threads.ts'
import type { ImportFile } from '../formats/read-records.ts'
import { type Advice, ImportError } from '../import-error.ts'
import type { ReadingKey, RowBatch } from './read-batches.ts'
import type { ReadingOptions } from './reading-options.ts'

export type ReadingTask = { file: ImportFile; options: ReadingOptions; key: ReadingKey }

/** Undefined at the end. An error would lose its class on its way to another thread. */
export type ReadingAnswer = RowBatch | { failure: Advice } | undefined

/** More would only take memory. */
const batchesAhead = 4

/** Reads in a thread, because reading takes as long as writing. */
export async function* readBatchesInWorker(task: ReadingTask): AsyncGenerator<RowBatch> {
  const threads = startThreads<'next', ReadingAnswer>(new URL('./reading.worker.ts', import.meta.url), 1, {
    workerData: task,
  })
  const requested: Promise<ReadingAnswer>[] = []
  try {
    for (;;) {
      while (requested.length < batchesAhead) {
        const next = threads.run('next')
        // The loop below awaits it, unless an earlier one fails first: then its rejection is ignored.
        next.catch(() => {})
        requested.push(next)
      }
      const batch = await requested.shift()
      if (!batch) return
      if ('failure' in batch) throw new ImportError(batch.failure.message, batch.failure.remedy)
      yield batch
    }
  } finally {
    await threads.close()
  }
}
