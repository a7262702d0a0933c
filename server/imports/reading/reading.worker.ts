import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { workerData } from 'node:worker_threads'
import { answerQuestions } from '../../threads.ts'
import type { ReadingTask } from './read-aside.ts'
import { type RowBatch, readBatches } from './read-batches.ts'

const { file, options, key } = workerData as ReadingTask
const chunks = createReadStream(file.path, { highWaterMark: 2 ** 18 })
const batches = readBatches({ name: basename(file.path), chunks }, options, key)

answerQuestions<'next', RowBatch | undefined>(1, async () => {
  const { value, done } = await batches.next()
  return done ? undefined : value
})
