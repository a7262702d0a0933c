import { openDatabase } from '../database/open-database.ts'
import { answerOrder } from '../processes/processes.ts'
import { checkParcels, type LandCheckOrder, type LandCheckOutcome } from './check-parcels.ts'

const memoryLimitBytes = 2 * 1024 ** 3
const progressIntervalMs = 250

answerOrder<LandCheckOrder, LandCheckOutcome, number>(
  async ({ location, mapId }, onProgress) => {
    const database = await openDatabase(location, () => {})
    let reportedAt = 0
    try {
      return await checkParcels(database, mapId, (share) => {
        if (Date.now() - reportedAt < progressIntervalMs) return
        reportedAt = Date.now()
        onProgress(share)
      })
    } finally {
      await database.close().catch(() => {})
    }
  },
  { memoryLimitBytes },
)
