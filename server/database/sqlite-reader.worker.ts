import { workerData } from 'node:worker_threads'
import { lowerPriority, runTasks } from '../processes/threads.ts'
import { openConnection, sqliteStatements } from './sqlite-connection.ts'
import type { ReadWorkerData, WorkerQuery } from './sqlite-read-workers.ts'

const { path, stopped } = workerData as ReadWorkerData

lowerPriority()

const connection = openConnection(path, true, () => {
  if (Atomics.load(stopped, 0) === 1) throw new Error('the client has disconnected')
})
const statements = sqliteStatements(connection, 'begin')

runTasks<WorkerQuery, unknown[]>(1, ({ text, parameters }) => statements.prepare(text).all(parameters))
