import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { JobsTable } from '../database/tables.ts'

export type NewJob = { mapId: string; kind: string; key: string; payload: unknown }

/** In the transaction of the change that wants it. One with the same key is there once. */
export async function insertJob(
  transaction: WriteTransaction,
  { mapId, kind, key, payload }: NewJob,
  now: number,
): Promise<void> {
  await transaction
    .insertInto('jobs')
    .values({
      map_id: mapId,
      id: randomUUID(),
      kind,
      job_key: key,
      payload: JSON.stringify(payload),
      created_at: now,
      run_at: now,
      attempts: 0,
      locked_until: null,
      locked_by: null,
      last_error: null,
      dead_at: null,
    })
    .onConflict((conflict) => conflict.columns(['map_id', 'kind', 'job_key']).doNothing())
    .execute()
}

export type Job = Pick<
  JobsTable,
  'map_id' | 'id' | 'kind' | 'job_key' | 'payload' | 'attempts' | 'created_at'
>

export type JobsMeant = {
  /** Those that the process knows: another one may be newer. */
  kinds: readonly string[]
  /** The ids of those that the process is at. Where their leases could not be renewed in time it does not take them again. */
  except: ReadonlySet<string>
  /** Maps that have such a job under way. */
  exceptMaps: ReadonlySet<string>
}

const due = ({ kinds, except, exceptMaps }: JobsMeant, now: number) =>
  sql<boolean>`dead_at is null and run_at <= ${now} and (locked_until is null or locked_until <= ${now})
    and kind in (${sql.join(kinds)}) and id not in (${sql.join(['', ...except])})
    and map_id not in (${sql.join(['', ...exceptMaps])})`

type Taking = { owner: string; now: number; leaseMs: number; served: ReadonlySet<string> }

/** Whether there is one to take: asked often, and without a transaction that others would have to wait for. */
export async function isAnyJobDue(read: ReadDatabase, meant: JobsMeant, now: number): Promise<boolean> {
  const job = await read.selectFrom('jobs').select('id').where(due(meant, now)).limit(1).executeTakeFirst()
  return job !== undefined
}

/** Gives one to a process for a while. Two that ask at once get two. `served` are maps whose jobs come after those of others. */
export function takeJob(
  { write, engine }: Database,
  { owner, now, leaseMs, served, ...meant }: JobsMeant & Taking,
): Promise<Job | undefined> {
  return write(async (transaction) => {
    const job = await transaction
      .selectFrom('jobs')
      .select(['map_id', 'id', 'kind', 'job_key', 'payload', 'attempts', 'created_at'])
      .where(due(meant, now))
      .orderBy(sql`case when map_id in (${sql.join(['', ...served])}) then 1 else 0 end`)
      .orderBy('run_at')
      .limit(1)
      // SQLite has one writer.
      .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked())
      .executeTakeFirst()
    if (!job) return undefined
    const attempts = job.attempts + 1
    await ofJob(transaction, job)
      .set({ locked_by: owner, locked_until: now + leaseMs, attempts })
      .execute()
    return { ...job, attempts }
  })
}

const ofJob = (transaction: WriteTransaction, { map_id, id }: Pick<Job, 'map_id' | 'id'>) =>
  transaction.updateTable('jobs').where('map_id', '=', map_id).where('id', '=', id)

/** False where the process does not have it any more. */
export async function renewLease(
  transaction: WriteTransaction,
  job: Job,
  { owner, until, hasGotOn }: { owner: string; until: number; hasGotOn: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await ofJob(transaction, job)
    .set({ locked_until: until, ...(hasGotOn ? { attempts: 0, last_error: null } : {}) })
    .where('locked_by', '=', owner)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** For whoever comes next: this was no attempt. */
export async function giveLeaseBack(transaction: WriteTransaction, job: Job, owner: string): Promise<void> {
  await ofJob(transaction, job)
    .set({ locked_until: null, locked_by: null, attempts: Math.max(0, job.attempts - 1) })
    .where('locked_by', '=', owner)
    .execute()
}

export async function putOff(
  transaction: WriteTransaction,
  job: Job,
  { owner, until, error }: { owner: string; until: number; error: string },
): Promise<void> {
  const { attempts } = job
  await ofJob(transaction, job)
    .set({ locked_until: null, locked_by: null, run_at: until, last_error: error, attempts })
    .where('locked_by', '=', owner)
    .execute()
}

/** False where the process does not have it any more. */
export async function markDead(
  transaction: WriteTransaction,
  job: Job,
  { owner, now, error }: { owner: string; now: number; error: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await ofJob(transaction, job)
    .set({
      locked_until: null,
      locked_by: null,
      dead_at: now,
      ...(error === null ? {} : { last_error: error }),
    })
    .where('locked_by', '=', owner)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteJob(
  transaction: WriteTransaction,
  { map_id, id }: Pick<Job, 'map_id' | 'id'>,
  which: { owner: string } | 'dead',
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('jobs')
    .where('map_id', '=', map_id)
    .where('id', '=', id)
    .$if(which === 'dead', (query) => query.where('dead_at', 'is not', null))
    .$if(which !== 'dead', (query) => query.where('locked_by', '=', (which as { owner: string }).owner))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** How many jobs of each kind were given up. */
export function countDeadJobs(read: ReadDatabase): Promise<{ kind: string; count: number }[]> {
  return read
    .selectFrom('jobs')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .where('dead_at', 'is not', null)
    .groupBy('kind')
    .orderBy('kind')
    .execute()
}

/** Those that wait, run or were given up; the latter first. */
export function listJobs(read: ReadDatabase, limit: number): Promise<JobsTable[]> {
  return read
    .selectFrom('jobs')
    .selectAll()
    .orderBy(sql`case when dead_at is null then 1 else 0 end`)
    .orderBy('run_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}
