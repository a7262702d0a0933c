import type { z } from 'zod'
import type { Database, WriteTransaction } from '../database/database.ts'

/** A job is given up after this many attempts without progress. */
export const maxAttempts = 8

export type JobTask<Payload> = { database: Database; mapId: string; payload: Payload }

/**
 * `signal` is aborted when the process ends: a long step then throws, and another process repeats it. A step that
 * calls `noteProgress` in its transaction is not given up, however often processes end right after it.
 */
export type StepTask<Payload> = JobTask<Payload> & {
  signal: AbortSignal
  noteProgress(transaction: WriteTransaction): Promise<unknown>
}

/**
 * A kind of background work. Each step runs at least once: a process may end between a step and recording it,
 * and two processes may run the same step for a moment. So each step reads from the rows that it changes
 * whether it was done.
 */
export type JobKind<Payload = never> = {
  name: string
  payload: z.ZodType<Payload>
  /** For long or expensive kinds: how many a process runs at once, in lanes of their own. */
  maxAtOnce?: number
  /** For work that other servers may delay for hours. Pauses double, up to ten minutes. */
  retries?: { firstPauseMs: number; maxAttempts: number }
  /** Does a part of the work within a second or two. Other jobs run between parts. */
  step(task: StepTask<Payload>): Promise<'more' | 'done'>
  giveUp?(transaction: WriteTransaction, task: JobTask<Payload>): Promise<void>
}

/** How often a long step checks whether it was canceled. */
const cancelCheckMs = 500

type Wanted = { isWanted(): Promise<boolean>; signal: AbortSignal }

export async function whileWanted(
  { isWanted, signal }: Wanted,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const unwanted = new AbortController()
  const looking = setInterval(async () => {
    if (!(await isWanted().catch(() => true))) unwanted.abort()
  }, cancelCheckMs)
  try {
    await work(AbortSignal.any([unwanted.signal, signal]))
  } catch (error) {
    if (!unwanted.signal.aborted) throw error
  } finally {
    clearInterval(looking)
  }
}

export type AnyJobKind = Omit<JobKind<never>, 'payload'> & { payload: z.ZodType }

export function defineJob<Payload>(kind: JobKind<Payload>): AnyJobKind {
  return kind as unknown as AnyJobKind
}
