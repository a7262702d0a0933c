import type { z } from 'zod'
import type { Database, WriteTransaction } from '../database/database.ts'

/** After so many attempts without getting on a job is given up. */
export const maxAttempts = 8

/** The job of a map, and what its kind has to know of it. */
export type JobTask<Payload> = { database: Database; mapId: string; payload: Payload }

/** `signal` is aborted when the process ends: a step that takes long then throws, and is taken up by the next one. */
export type StepTask<Payload> = JobTask<Payload> & { signal: AbortSignal }

/**
 * A sort of work. It is done at least once: a process may end between the work and the note that it is done, and two
 * may be at it for a moment. So each step finds out from the rows that it changes whether it has been made.
 */
export type JobKind<Payload = never> = {
  name: string
  payload: z.ZodType<Payload>
  /** Of a kind that takes much of the machine, or long: how many a process does at once, in lanes of their own. */
  mostAtOnce?: number
  /** Does a part, shorter than a second or two unless it waits for another process. Others get their turn between two parts. */
  step(task: StepTask<Payload>): Promise<'more' | 'done'>
  /** In the transaction that gives the job up. */
  giveUp?(transaction: WriteTransaction, task: JobTask<Payload>): Promise<void>
}

/** So often it is looked whether somebody still wants what takes long. */
const lookMs = 500

type Wanted = { isWanted(): Promise<boolean>; signal: AbortSignal }

/** Does a part that takes long, and ends it where nobody wants it any more; that is no failure. */
export async function whileWanted(
  { isWanted, signal }: Wanted,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const unwanted = new AbortController()
  const looking = setInterval(async () => {
    if (!(await isWanted().catch(() => true))) unwanted.abort()
  }, lookMs)
  try {
    await work(AbortSignal.any([unwanted.signal, signal]))
  } catch (error) {
    if (!unwanted.signal.aborted) throw error
  } finally {
    clearInterval(looking)
  }
}

/** Kinds of different payloads, in one list. */
export type AnyJobKind = Omit<JobKind<never>, 'payload'> & { payload: z.ZodType }

export function defineJob<Payload>(kind: JobKind<Payload>): AnyJobKind {
  return kind as unknown as AnyJobKind
}
