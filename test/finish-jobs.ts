import { expect } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { ownJobKinds } from '#server/job-kinds.ts'
import { startJobRunner } from '#server/jobs/job-runner.ts'

export async function finishJobs(database: Database) {
  const errors: unknown[] = []
  const runner = startJobRunner(database, ownJobKinds, {
    onError: (error) => errors.push(error),
    pollMs: null,
  })
  await runner.work()
  await runner.close()
  expect(errors).toEqual([])
}
