import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseLocation, openDatabase } from '../database/open-database.ts'
import { seedSampleData } from './seed-sample-data.ts'

// Runs in a thread, whose end frees the memory of the files and the import's code.

const database = await openDatabase(workerData as DatabaseLocation)
const isPutIn = await seedSampleData(database, new Date())
await database.close()
parentPort?.postMessage(isPutIn)
