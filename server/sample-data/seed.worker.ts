import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseLocation, openDatabase } from '../database/open-database.ts'
import { seedSampleData } from './seed-sample-data.ts'

// Making the sample data takes a second and a hundred megabytes, once: the thread gives both back.

const database = await openDatabase(workerData as DatabaseLocation)
const isPutIn = await seedSampleData(database, new Date())
await database.close()
parentPort?.postMessage(isPutIn)
