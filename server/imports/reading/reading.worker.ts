import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../threads.ts'
import { ImportError } from '../import-error.ts'
import { readBatches } from './read-batches.ts'
import type { ReadingAnswer, ReadingTask } from './read-in-worker.ts'

const { file, options, key } = workerData as ReadingTask
const chunks = createReadStream(file.path, { highWaterMark: 2 ** 18 })
const batches = readBatches({ name: basename(file.path), chunks }, options, key)

answerQuestions<'next', ReadingAnswer>(1, async () => {
  try {
    const { value, done } = await batches.next()
    return done ? undefined : value
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const { message, remedy } = error
    return { failure: { message, remedy } }
  }
})
