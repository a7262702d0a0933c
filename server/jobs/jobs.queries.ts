import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { JobsTable } from '../database/tables.ts'

export type NewJob = {
  mapId: string
  kind: string
  key: string
  payload: unknown
  /** Default: at once. */
  runAt?: number
}

/** Does nothing if the map has a job of this kind and key. Call it in the transaction of the change. */
export async function insertJob(transaction: WriteTransaction, job: NewJob, now: number): Promise<void> {
  await newRow(transaction, job, now)
    .onConflict((conflict) => conflict.columns(['map_id', 'kind', 'job_key']).doNothing())
    .execute()
}

/** An existing job of this kind and key runs again with the new payload, which must differ, also if it is running. */
export async function renewJob(transaction: WriteTransaction, job: NewJob, now: number): Promise<void> {
  await newRow(transaction, job, now)
    .onConflict((conflict) =>
      conflict.columns(['map_id', 'kind', 'job_key']).doUpdateSet(({ ref }) => ({
        payload: ref('excluded.payload'),
        run_at: ref('excluded.run_at'),
        attempts: 0,
        dead_at: null,
      })),
    )
    .execute()
}

function newRow(
  transaction: WriteTransaction,
  { mapId, kind, key, payload, runAt = 0 }: NewJob,
  now: number,
) {
  return transaction.insertInto('jobs').values({
    map_id: mapId,
    id: randomUUID(),
    kind,
    job_key: key,
    payload: JSON.stringify(payload),
    created_at: now,
    run_at: Math.max(now, runAt),
    attempts: 0,
    locked_until: null,
    locked_by: null,
    last_error: null,
    dead_at: null,
  })
}
export type Job = Pick<
  JobsTable,
  'map_id' | 'id' | 'kind' | 'job_key' | 'payload' | 'attempts' | 'created_at'
>

export type JobSelection = {
  kinds: readonly string[]
  /** Jobs that this process runs. It must not take them again if it renewed their leases too late. */
  except: ReadonlySet<string>
  exceptMaps: ReadonlySet<string>
}

const isDue = ({ kinds, except, exceptMaps }: JobSelection, now: number) =>
  sql<boolean>`dead_at is null and run_at <= ${now} and (locked_until is null or locked_until <= ${now})
    and kind in (${sql.join(kinds)}) and id not in (${sql.join(['', ...except])})
    and map_id not in (${sql.join(['', ...exceptMaps])})`

/** Reads outside of a transaction, because it runs often and must not block others. */
export async function isAnyJobDue(
  read: ReadDatabase,
  selection: JobSelection,
  now: number,
): Promise<boolean> {
  const job = await read
    .selectFrom('jobs')
    .select('id')
    .where(isDue(selection, now))
    .limit(1)
    .executeTakeFirst()
  return job !== undefined
}

type Lease = { owner: string; now: number; leaseMs: number }

/** Concurrent calls get different jobs. Jobs of `servedMaps` come after those of other maps. */
export function takeJob(
  { write, engine }: Database,
  selection: JobSelection,
  { owner, now, leaseMs }: Lease,
  servedMaps: ReadonlySet<string>,
): Promise<Job | undefined> {
  return write(async (transaction) => {
    const job = await transaction
      .selectFrom('jobs')
      .select(['map_id', 'id', 'kind', 'job_key', 'payload', 'attempts', 'created_at'])
      .where(isDue(selection, now))
      .orderBy(sql`case when map_id in (${sql.join(['', ...servedMaps])}) then 1 else 0 end`)
      .orderBy('run_at')
      .limit(1)
      .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked())
      .executeTakeFirst()
    if (!job) return undefined
    const attempts = job.attempts + 1
    await updateJob(transaction, job)
      .set({ locked_by: owner, locked_until: now + leaseMs, attempts })
      .execute()
    return { ...job, attempts }
  })
}

const updateJob = (transaction: WriteTransaction, { map_id, id }: Pick<Job, 'map_id' | 'id'>) =>
  transaction.updateTable('jobs').where('map_id', '=', map_id).where('id', '=', id)

export async function updateLeasedJob(
  transaction: WriteTransaction,
  job: Job,
  owner: string,
  columns: Partial<JobsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateJob(transaction, job)
    .set(columns)
    .where('locked_by', '=', owner)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteJob(
  transaction: WriteTransaction,
  { map_id, id, payload }: Pick<Job, 'map_id' | 'id'> & Partial<Pick<Job, 'payload'>>,
  which: { owner: string } | 'dead',
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('jobs')
    .where('map_id', '=', map_id)
    .where('id', '=', id)
    // A renewed job has another payload.
    .$if(payload !== undefined, (query) => query.where('payload', '=', payload as string))
    .$if(which === 'dead', (query) => query.where('dead_at', 'is not', null))
    .$if(which !== 'dead', (query) => query.where('locked_by', '=', (which as { owner: string }).owner))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** In order. `start` has no wildcards. */
export async function listWaitingKeys(
  read: ReadDatabase,
  { mapId, kind, start }: { mapId: string; kind: string; start: string },
  limit: number,
): Promise<string[]> {
  const rows = await read
    .selectFrom('jobs')
    .select('job_key')
    .where('map_id', '=', mapId)
    .where('kind', '=', kind)
    .where('job_key', 'like', `${start}%`)
    .where('dead_at', 'is', null)
    .orderBy('job_key')
    .limit(limit)
    .execute()
  return rows.map(({ job_key }) => job_key)
}

export function countDeadJobs(read: ReadDatabase): Promise<{ kind: string; count: number }[]> {
  return read
    .selectFrom('jobs')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .where('dead_at', 'is not', null)
    .groupBy('kind')
    .orderBy('kind')
    .execute()
}

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
