import { randomUUID } from 'node:crypto'
import type { Database, WriteTransaction } from '../database/database.ts'
import { outageOf } from '../database/outage.ts'
import { type AnyJobKind, type JobTask, maxAttempts, type StepTask } from './job-kind.ts'
import { deleteJob, isAnyJobDue, type Job, takeJob, updateLeasedJob } from './jobs.queries.ts'
import { type LeaseLoop, startLeaseLoop } from './lease-loop.ts'

// Runs the jobs of the table `jobs`: docs/decisions/011-jobs-are-rows.md.

export type RunnerOptions = {
  onError(error: unknown): void
  pollMs?: number | null
  /** A process that does not renew a lease for this long loses it. */
  leaseMs?: number
}

/** Lanes shared by all kinds whose steps are short. */
const shortLanes = 2

/** The pause after the first failure; doubles with each further one. */
const usualPauseMs = 1_000
const longestPauseMs = 600_000
const fullDiskPauseMs = 2_000
/** A job that fills the disk again and again must end. */
const longestFullDiskMs = 86_400_000

const attemptsOf = ({ retries }: AnyJobKind) => retries?.maxAttempts ?? maxAttempts

/** A map occupies at most one lane of `mapsAtWork`, which leaves the others to other maps. */
type Lanes = {
  kinds: readonly string[]
  count: number
  running: number
  mapsAtWork: Set<string>
  servedMaps: Set<string>
}

/** Closing ends pending steps and returns their jobs to the queue. */
export function startJobRunner(
  database: Database,
  kinds: readonly AnyJobKind[],
  { onError, pollMs = 500, leaseMs = 10_000 }: RunnerOptions,
): Omit<LeaseLoop, 'check'> {
  const owner = randomUUID()
  const closing = new AbortController()
  const idsAtWork = new Set<string>()
  const mapsWithLongWork = new Set<string>()
  const lanesOf = (count: number, names: string[], mapsAtWork: Set<string>): Lanes => ({
    kinds: names,
    count,
    running: 0,
    mapsAtWork,
    servedMaps: new Set(),
  })
  const shortKinds = kinds.filter(({ maxAtOnce }) => !maxAtOnce).map(({ name }) => name)
  const allLanes = [
    ...kinds.flatMap(({ name, maxAtOnce }) =>
      maxAtOnce ? [lanesOf(maxAtOnce, [name], mapsWithLongWork)] : [],
    ),
    ...(shortKinds.length > 0 ? [lanesOf(shortLanes, shortKinds, new Set())] : []),
  ]

  async function take() {
    for (const lanes of allLanes) {
      const { kinds, mapsAtWork, servedMaps } = lanes
      if (lanes.running === lanes.count) continue
      const selection = { kinds, except: idsAtWork, exceptMaps: mapsAtWork }
      const now = Date.now()
      if (!(await isAnyJobDue(database.read, selection, now))) continue
      const job = await takeJob(database, selection, { owner, now, leaseMs }, servedMaps)
      if (!job) continue
      if (servedMaps.has(job.map_id)) servedMaps.clear()
      servedMaps.add(job.map_id)
      mapsAtWork.add(job.map_id)
      idsAtWork.add(job.id)
      lanes.running++
      return { job, lanes }
    }
    return undefined
  }

  async function run({ job, lanes }: { job: Job; lanes: Lanes }) {
    const kind = kinds.find(({ name }) => name === job.kind)
    if (kind) await runJob(job, kind).finally(() => leave(job, lanes))
  }

  function leave({ id, map_id }: Job, lanes: Lanes) {
    idsAtWork.delete(id)
    lanes.mapsAtWork.delete(map_id)
    lanes.running--
  }

  async function runJob(job: Job, kind: AnyJobKind) {
    if (job.attempts > attemptsOf(kind)) return giveUp(job, kind, null)
    const renewing = setInterval(() => void renew(job).catch(() => {}), leaseMs / 3)
    try {
      const payload = kind.payload.parse(JSON.parse(job.payload))
      const noteProgress = (transaction: WriteTransaction) =>
        updateLeasedJob(transaction, job, owner, { attempts: 0 })
      const task = { database, mapId: job.map_id, payload, signal: closing.signal, noteProgress }
      while ((await kind.step(task as StepTask<never>)) === 'more') {
        job.attempts = 0
        if (!(await renew(job, { attempts: 0, last_error: null }))) return
        if (closing.signal.aborted) return await release(job, { attempts: 0 })
      }
      if (!(await database.write((transaction) => deleteJob(transaction, job, { owner }))))
        await release(job, { attempts: 0 })
    } catch (error) {
      if (closing.signal.aborted) await release(job, { attempts: 0 })
      else await fail(job, kind, error as Error)
    } finally {
      clearInterval(renewing)
    }
  }

  type Columns = Parameters<typeof updateLeasedJob>[3]
  const update = (job: Job, columns: Columns) =>
    database.write((transaction) => updateLeasedJob(transaction, job, owner, columns))
  const renew = (job: Job, columns: Columns = {}) =>
    update(job, { ...columns, locked_until: Date.now() + leaseMs })
  const release = async (job: Job, columns: Columns) => {
    await update(job, { ...columns, locked_by: null, locked_until: null })
  }

  async function fail(job: Job, kind: AnyJobKind, error: Error) {
    const { message } = error
    const outage = outageOf(error)
    const isFull = outage === 'full' || outage === 'filesFull'
    const retryAfter = (pauseMs: number, attempts: number) =>
      release(job, { run_at: Date.now() + pauseMs, last_error: message, attempts })
    if (isFull && Date.now() - job.created_at < longestFullDiskMs)
      return retryAfter(fullDiskPauseMs, job.attempts - 1)
    if (job.attempts >= attemptsOf(kind)) return giveUp(job, kind, message)
    const { firstPauseMs = usualPauseMs } = kind.retries ?? {}
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (Math.max(1, job.attempts) - 1))
    await retryAfter(pauseMs, job.attempts)
  }

  async function giveUp(job: Job, kind: AnyJobKind, error: string | null) {
    const task = { database, mapId: job.map_id, payload: JSON.parse(job.payload) }
    const columns = {
      locked_until: null,
      locked_by: null,
      dead_at: Date.now(),
      ...(error !== null && { last_error: error }),
    }
    await database.write(async (transaction) => {
      if (await updateLeasedJob(transaction, job, owner, columns))
        await kind.giveUp?.(transaction, task as JobTask<never>)
    })
    onError(new Error(`The job ‘${job.kind}’ of map ${job.map_id} failed: ${error ?? 'it never ended'}.`))
  }

  const loop = startLeaseLoop({ take, run, onError, pollMs })
  return {
    work: loop.work,
    close() {
      closing.abort()
      return loop.close()
    },
  }
}
