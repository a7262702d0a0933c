import { bulkChangeJob } from './features/bulk-change-job.ts'
import { ownFieldWordsJob } from './features/own-words-job.ts'
import type { AnyJobKind } from './jobs/job-kind.ts'

/** All the work that is done outside of requests. */
export const jobKinds: readonly AnyJobKind[] = [bulkChangeJob, ownFieldWordsJob]
