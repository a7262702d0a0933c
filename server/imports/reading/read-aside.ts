import { startThreads } from '../../threads.ts'
import { ImportError, importErrorCode } from '../import-error.ts'
import type { ReadingOptions } from '../import-options.ts'
import type { ReadingKey, RowBatch } from './read-batches.ts'

/** A file of this machine. */
export type ImportFile = { path: string; totalBytes: number }

export type ReadingTask = { file: ImportFile; options: ReadingOptions; key: ReadingKey }

/** While rows are written, the next are read; more would only wait in memory. */
const batchesAhead = 4

/** `readBatches` of a file, in a thread: reading takes as long as writing does. */
export async function* readBatchesAside(task: ReadingTask): AsyncGenerator<RowBatch> {
  const threads = startThreads<'next', RowBatch | undefined>(
    new URL('./reading.worker.ts', import.meta.url),
    1,
    { workerData: task },
  )
  const asked: Promise<RowBatch | undefined>[] = []
  try {
    for (;;) {
      while (asked.length < batchesAhead) {
        const next = threads.ask('next')
        // Whoever comes to it hears of its failure; nobody may, if one before it fails.
        next.catch(() => {})
        asked.push(next)
      }
      const batch = await asked.shift()
      if (!batch) return
      yield batch
    }
  } catch (error) {
    throw (error as { code?: string }).code === importErrorCode
      ? new ImportError((error as Error).message)
      : error
  } finally {
    await threads.close()
  }
}
