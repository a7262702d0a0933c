import { basename } from 'node:path'
import { workerData } from 'node:worker_threads'
import { runTasks } from '../../processes/threads.ts'
import { chunksOfFile } from '../formats/read-records.ts'
import { ImportError } from '../import-error.ts'
import { readBatches } from './read-batches.ts'
import type { ReadingAnswer, ReadingTask } from './read-in-worker.ts'

const { file, options, key } = workerData as ReadingTask
const input = { name: basename(file.path), chunks: chunksOfFile(file.path) }
const batches = readBatches(input, options, key)

runTasks<'next', ReadingAnswer>(1, async () => {
  try {
    const { value, done } = await batches.next()
    return done ? undefined : value
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const { message, remedy } = error
    return { failure: { message, remedy } }
  }
})
