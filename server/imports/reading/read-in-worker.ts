import { availableParallelism } from 'node:os'
import { startThreads } from '../../processes/threads.ts'
import type { ImportFile } from '../formats/read-records.ts'
import { type Advice, ImportError } from '../import-error.ts'
import { mergeBatches, type ReadBatch, rowsPerGroup } from './read-batches.ts'
import type { BuiltPart, Found, Reader, ReadingKey, Repeated, RowBatch, Turns } from './read-rows.ts'
import type { ReadingOptions } from './reading-options.ts'
import type { Survey } from './survey.ts'

export type ReadingTask = { file: ImportFile; options: ReadingOptions; key: ReadingKey }

export type ReaderTask =
  | { method: 'build' }
  | { method: 'finish'; argument: Repeated }
  | { method: 'found' }
  | { method: 'survey'; argument: readonly Found[] }

/** An error would lose its class on its way to another thread. */
export type ReaderAnswer = { result: BuiltPart | RowBatch | Found | Survey | undefined } | { failure: Advice }

/** For each reader. More would only take memory. */
const partsAhead = 2

/** A smaller file is read before a second thread has started. */
const bytesForTwoReaders = 8 * 2 ** 20

/** A second one costs 90 MB, and gains little where it shares a processor with writing. */
const readersFor = ({ totalBytes }: ImportFile) =>
  totalBytes >= bytesForTwoReaders && availableParallelism() > 2 ? 2 : 1

/** Reads in threads, because reading takes longer than writing. */
export async function* readBatchesInWorkers(
  task: ReadingTask,
  readers = readersFor(task.file),
): AsyncGenerator<ReadBatch> {
  const remote = Array.from({ length: readers }, (_, reader) =>
    startReader(task, { reader, readers, size: rowsPerGroup }),
  )
  try {
    yield* mergeBatches(remote)
  } finally {
    await Promise.all(remote.map((reader) => reader.close()))
  }
}

function startReader(task: ReadingTask, turns: Turns): Reader & { close(): Promise<void> } {
  const file = new URL('./reading.worker.ts', import.meta.url)
  const threads = startThreads<ReaderTask, ReaderAnswer>(file, 1, { workerData: { ...task, turns } })
  async function ask<Result>(task: ReaderTask): Promise<Result> {
    const answer = await threads.run(task)
    if ('failure' in answer) throw new ImportError(answer.failure.message, answer.failure.remedy)
    return answer.result as Result
  }
  const ahead: Promise<BuiltPart | undefined>[] = []
  return {
    build() {
      while (ahead.length <= partsAhead) {
        const next = ask<BuiltPart | undefined>({ method: 'build' })
        // It is awaited later, unless an earlier one fails first: then its rejection is ignored.
        next.catch(() => {})
        ahead.push(next)
      }
      return ahead.shift() as Promise<BuiltPart | undefined>
    },
    finish: (argument) => ask({ method: 'finish', argument }),
    found: () => ask({ method: 'found' }),
    survey: (argument) => ask({ method: 'survey', argument }),
    close: () => threads.close(),
  }
}
