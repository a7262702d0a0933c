import { z } from 'zod'
import { defineJob } from '../../jobs/job-kind.ts'
import { ownWordsJob, stepOwnWords } from './own-fields.commands.ts'

export const ownFieldWordsJob = defineJob({
  name: ownWordsJob,
  payload: z.object({}),
  step: ({ database, mapId }) => stepOwnWords(database, mapId),
})
