import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { outageOf } from '../database/outage.ts'
import { type AnyJobKind, type JobTask, maxAttempts, type StepTask } from './job-kind.ts'
import {
  deleteJob,
  giveLeaseBack,
  isAnyJobDue,
  type Job,
  markDead,
  putOff,
  renewLease,
  takeJob,
} from './jobs.queries.ts'

// Does what stands in the table `jobs`: docs/decisions/011-jobs-are-rows.md.

export type JobRunner = {
  /** Looks for work at once, and resolves when none is left that is due. */
  work(): Promise<void>
  /** Ends after the steps that are under way, and gives back what it has taken. */
  close(): Promise<void>
}

export type RunnerOptions = {
  onError(error: unknown): void
  /** How often to look for work; null is only when told. */
  pollMs?: number | null
  /** A process that says nothing for so long has lost what it took. */
  leaseMs?: number
}

/** Lanes for jobs of kinds that do not take long: one map never has both. */
const shortLanes = 2

/** The first attempt after a failure; each further one takes twice as long. */
const firstPauseMs = 1_000
const longestPauseMs = 600_000
/** On a full disk: somebody makes room at any moment, and it is no fault of the job. */
const fullDiskPauseMs = 2_000
/** A job that fills the disk again and again must end. */
const longestFullDiskMs = 86_400_000

type Queue = {
  names: readonly string[]
  mapsAtWork: Set<string>
  /** Maps that have had their turn in this round. */
  served: Set<string>
}

export function startJobRunner(
  database: Database,
  kinds: readonly AnyJobKind[],
  { onError, pollMs = 500, leaseMs = 10_000 }: RunnerOptions,
): JobRunner {
  const owner = randomUUID()
  const known = new Map(kinds.map((kind) => [kind.name, kind]))
  const closing = new AbortController()
  let isClosed = false
  let isAway = false
  const atWork = new Set<string>()
  /** One at a time, so that two lanes never take jobs of the same map. */
  let taking: Promise<unknown> = Promise.resolve()
  const longMaps = new Set<string>()
  const lanes = [
    ...kinds.flatMap(({ name, mostAtOnce }) => (mostAtOnce ? startLanes(mostAtOnce, [name], longMaps) : [])),
    ...startLanes(
      shortLanes,
      kinds.filter(({ mostAtOnce }) => !mostAtOnce).map(({ name }) => name),
      new Set(),
    ),
  ]
  /**
   * Lanes that do jobs of these kinds. A map is in one of them at most, and in one for long jobs whatever their kinds: so
   * there are others for other maps. When several maps have jobs, they take turns.
   */
  function startLanes(count: number, names: readonly string[], mapsAtWork: Set<string>) {
    const served = new Set<string>()
    const queue: Queue = { names, mapsAtWork, served }
    return Array.from({ length: names.length === 0 ? 0 : count }, () => startLane(queue))
  }

  /** Does one job after another. What takes long in one lane keeps no other from looking for work. */
  function startLane({ names, mapsAtWork, served }: Queue) {
    let timer: NodeJS.Timeout | undefined
    let working: Promise<boolean> | undefined

    /** Returns whether it did any job. */
    function work(): Promise<boolean> {
      working ??= workOff().finally(() => {
        working = undefined
      })
      return working
    }

    async function workOff() {
      try {
        if (isClosed) return false
        const isDue = await isAnyJobDue(database.read, jobsMeant(), Date.now())
        const hasWorked = isDue && (await workAlong())
        isAway = false
        return hasWorked
      } catch (error) {
        if (!isAway) onError(error)
        isAway = true
        return false
      }
    }

    const jobsMeant = () => ({ kinds: names, except: atWork, exceptMaps: mapsAtWork })

    async function workAlong() {
      for (let hasWorked = false; ; hasWorked = true) {
        const job = isClosed ? undefined : await take()
        const kind = job && known.get(job.kind)
        if (!kind) return hasWorked
        await run(job, kind).finally(() => {
          atWork.delete(job.id)
          mapsAtWork.delete(job.map_id)
        })
      }
    }

    function take(): Promise<Job | undefined> {
      const taken = taking.then(async () => {
        const now = Date.now()
        const job = await takeJob(database, { ...jobsMeant(), owner, now, leaseMs, served })
        if (!job) return undefined
        // Every map that has one had its turn: another round begins.
        if (served.has(job.map_id)) served.clear()
        served.add(job.map_id)
        atWork.add(job.id)
        mapsAtWork.add(job.map_id)
        return job
      })
      taking = taken.catch(() => {})
      return taken
    }

    function schedule() {
      if (isClosed || pollMs === null) return
      timer = setTimeout(() => void work().then(schedule), pollMs)
      timer.unref()
    }
    schedule()

    return {
      work,
      async close() {
        clearTimeout(timer)
        await working
      },
    }
  }

  async function run(job: Job, kind: AnyJobKind) {
    if (job.attempts > maxAttempts) return giveUp(job, kind, null)
    const renewing = setInterval(() => void renew(job, false).catch(() => {}), leaseMs / 3)
    try {
      const payload = kind.payload.parse(JSON.parse(job.payload))
      const task = { database, mapId: job.map_id, payload, signal: closing.signal }
      while ((await kind.step(task as StepTask<never>)) === 'more') {
        if (!(await renew(job, true))) return
        if (!isClosed) continue
        await database.write((transaction) => giveLeaseBack(transaction, { ...job, attempts: 0 }, owner))
        return
      }
      await database.write((transaction) => deleteJob(transaction, job, { owner }))
    } catch (error) {
      if (isClosed)
        await database.write((transaction) => giveLeaseBack(transaction, { ...job, attempts: 0 }, owner))
      else await fail(job, kind, error as Error)
    } finally {
      clearInterval(renewing)
    }
  }

  const renew = (job: Job, hasGotOn: boolean) => {
    if (hasGotOn) job.attempts = 0
    const until = Date.now() + leaseMs
    return database.write((transaction) => renewLease(transaction, job, { owner, until, hasGotOn }))
  }

  async function fail(job: Job, kind: AnyJobKind, error: Error) {
    const { message } = error
    const outage = outageOf(error)
    const isFull = outage === 'full' || outage === 'filesFull'
    if (isFull && Date.now() - job.created_at < longestFullDiskMs) {
      const until = Date.now() + fullDiskPauseMs
      const noAttempt = { ...job, attempts: job.attempts - 1 }
      return database.write((transaction) => putOff(transaction, noAttempt, { owner, until, error: message }))
    }
    if (job.attempts >= maxAttempts) return giveUp(job, kind, message)
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (Math.max(1, job.attempts) - 1))
    await database.write((transaction) =>
      putOff(transaction, job, { owner, until: Date.now() + pauseMs, error: message }),
    )
  }

  async function giveUp(job: Job, kind: AnyJobKind, error: string | null) {
    const task = { database, mapId: job.map_id, payload: JSON.parse(job.payload) }
    await database.write(async (transaction) => {
      if (!(await markDead(transaction, job, { owner, now: Date.now(), error }))) return
      await kind.giveUp?.(transaction, task as JobTask<never>)
    })
    onError(
      new Error(`The job ‘${job.kind}’ of map ${job.map_id} was given up: ${error ?? 'it never ended'}.`),
    )
  }

  return {
    async work() {
      // A job may have waited for another one of its map, in another lane.
      while ((await Promise.all(lanes.map((lane) => lane.work()))).includes(true));
    },
    async close() {
      isClosed = true
      closing.abort()
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}
