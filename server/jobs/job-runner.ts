import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
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

/** So many jobs at once. Kinds that take long have fewer of them, and so one is left for what is short. */
const laneCount = 3

/** The first attempt after a failure; each further one takes twice as long. */
const firstPauseMs = 1_000
const longestPauseMs = 600_000

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
  const lanes = Array.from({ length: laneCount }, (_, lane) => {
    const ofLane = kinds.filter(({ mostAtOnce = laneCount }) => lane < mostAtOnce)
    return startLane(ofLane.map(({ name }) => name))
  })

  /** Does one job of these kinds after another. What takes long in one lane keeps no other from looking for work. */
  function startLane(names: readonly string[]) {
    let timer: NodeJS.Timeout | undefined
    let working: Promise<void> | undefined

    function work(): Promise<void> {
      working ??= workOff().finally(() => {
        working = undefined
      })
      return working
    }

    async function workOff() {
      try {
        if (isClosed || names.length === 0) return
        if (await isAnyJobDue(database.read, { kinds: names, except: atWork }, Date.now())) await workAlong()
        isAway = false
      } catch (error) {
        if (!isAway) onError(error)
        isAway = true
      }
    }

    async function workAlong() {
      while (!isClosed) {
        const meant = { kinds: names, except: atWork }
        const job = await takeJob(database, { ...meant, owner, now: Date.now(), leaseMs })
        const kind = job && known.get(job.kind)
        if (!kind) return
        atWork.add(job.id)
        await run(job, kind).finally(() => atWork.delete(job.id))
      }
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
      await Promise.all(lanes.map((lane) => lane.work()))
    },
    async close() {
      isClosed = true
      closing.abort()
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}
