import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'
import { ownJobKinds } from '#server/job-kinds.ts'
import { startJobRunner } from '#server/jobs/job-runner.ts'

const database = await openDatabase(JSON.parse(process.argv[2] ?? '') as DatabaseLocation)
startJobRunner(database, ownJobKinds, { onError: console.error, pollMs: 20, leaseMs: 300 })
setInterval(() => {}, 1_000)
console.info('working')
