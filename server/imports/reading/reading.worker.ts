import { basename } from 'node:path'
import { workerData } from 'node:worker_threads'
import { lowerPriority, runTasks } from '../../processes/threads.ts'
import { chunksOfFile } from '../formats/read-records.ts'
import { ImportError } from '../import-error.ts'
import type { ReaderAnswer, ReaderTask, ReadingTask } from './read-in-worker.ts'
import { openReader, type Reader, type Turns } from './read-rows.ts'

// Servers answer requests meanwhile.
lowerPriority()

const { file, options, key, turns } = workerData as ReadingTask & { turns: Turns }
const input = { name: basename(file.path), chunks: chunksOfFile(file.path) }
let opened: Promise<Reader> | undefined

runTasks<ReaderTask, ReaderAnswer>(1, async (task) => {
  try {
    opened ??= openReader(input, options, key, turns)
    const reader = await opened
    if (task.method === 'finish') return { result: await reader.finish(task.argument) }
    if (task.method === 'survey') return { result: await reader.survey(task.argument) }
    return { result: await reader[task.method]() }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const { message, remedy } = error
    return { failure: { message, remedy } }
  }
})
