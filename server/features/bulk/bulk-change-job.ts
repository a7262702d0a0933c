import { z } from 'zod'
import { defineJob } from '../../jobs/job-kind.ts'
import { bulkJob, failBulkChange, stepBulkChange } from './bulk-changes.commands.ts'

export const bulkChangeJob = defineJob({
  name: bulkJob,
  payload: z.object({ id: z.string() }),
  step: ({ database, mapId, payload }) => stepBulkChange(database, mapId, payload.id),
  giveUp: (transaction, { database, mapId, payload }) =>
    failBulkChange(database, transaction, mapId, payload.id),
})
