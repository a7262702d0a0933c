import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { isUnderWay } from '#domain/land-check/land-check.schema.ts'
import type { Database } from '../database/database.ts'
import type { DatabaseLocation } from '../database/open-database.ts'
import type { LandChecksTable } from '../database/tables.ts'
import { type AnyJobKind, defineJob, whileWanted } from '../jobs/job-kind.ts'
import { insertJob } from '../jobs/jobs.queries.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { runInChild } from '../processes/processes.ts'
import type { LandCheckOrder, LandCheckOutcome } from './check-parcels.ts'
import { insertLandCheck, readLandCheck, updateLandCheck } from './land-checks.queries.ts'

const name = 'land-check'
const maxMs = 15 * 60_000
const progressIntervalMs = 1_000

/** Does nothing while a check is under way. */
export function startLandCheck(database: Database, mapId: string): Promise<void> {
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const current = await readLandCheck(transaction, mapId)
    if (current && isUnderWay(current.state)) return
    const [id, now] = [randomUUID(), Date.now()]
    await insertLandCheck(transaction, {
      map_id: mapId,
      id,
      state: 'waiting',
      progress: 0,
      result: null,
      failure: null,
      created_at: now,
      finished_at: null,
    })
    await insertJob(transaction, { mapId, kind: name, key: id, payload: { id } }, now)
  })
}

/** Checks in a process of its own, because the land may be large. */
export const landCheckJob = (location: DatabaseLocation): AnyJobKind =>
  defineJob({
    name,
    maxAtOnce: 2,
    payload: z.object({ id: z.string() }),
    async step({ database, mapId, payload: { id }, signal }) {
      const update = (columns: Partial<LandChecksTable>) =>
        database.write((transaction) => updateLandCheck(transaction, { mapId, id }, columns))
      const isWanted = async () => (await readLandCheck(database.read, mapId))?.id === id
      if (!(await update({ state: 'checking', progress: 0 }))) return 'done'
      await whileWanted({ isWanted, signal }, async (signal) => {
        let reportedAt = Date.now()
        await update(columnsOf(await check({ location, mapId }, signal, report)))

        function report(progress: number) {
          if (Date.now() - reportedAt < progressIntervalMs) return
          reportedAt = Date.now()
          void update({ progress }).catch(() => {})
        }
      })
      return 'done'
    },
    async giveUp(transaction, { mapId, payload: { id } }) {
      await updateLandCheck(
        transaction,
        { mapId, id },
        columnsOf({ failure: 'The check failed. Try again.' }),
      )
    },
  })

async function check(
  order: LandCheckOrder,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<LandCheckOutcome> {
  const file = new URL('./land-check.process.ts', import.meta.url)
  const watch = { signal, totalMs: maxMs, onProgress }
  const outcome = await runInChild<LandCheckOrder, LandCheckOutcome, number>(file, order, watch)
  if ('answer' in outcome) return outcome.answer
  // The database may be unavailable for a moment: the job is repeated.
  if (outcome.ended === 'exited') throw new Error(`The process ended with exit code ${outcome.code}.`)
  return {
    failure:
      outcome.ended === 'killed'
        ? 'The land has too many corners to check: the check ran out of memory.'
        : 'The land has too many corners to check: the check took too long.',
  }
}

const columnsOf = (outcome: LandCheckOutcome): Partial<LandChecksTable> => ({
  ...('failure' in outcome
    ? { state: 'failed', failure: outcome.failure }
    : { state: 'done', result: JSON.stringify(outcome.result) }),
  progress: 1,
  finished_at: Date.now(),
})
