import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseLocation, openDatabase } from '../database/open-database.ts'
import { seedSampleData } from './seed-sample-data.ts'

// Reading the files takes part of a second and the whole import's code, once: the thread gives the memory back.

const database = await openDatabase(workerData as DatabaseLocation)
const isPutIn = await seedSampleData(database, new Date())
await database.close()
parentPort?.postMessage(isPutIn)
