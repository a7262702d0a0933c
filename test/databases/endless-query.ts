import { sql } from 'kysely'
import type { Database } from '#server/database/database.ts'
import type { QueueClient } from '#server/database/fair-queue.ts'

/** A client that waits in the queue. */
export function aQueueClient(
  mapId = 'a-map',
  signal: AbortSignal = new AbortController().signal,
): QueueClient {
  return { mapId, signal }
}

/** Resolves when an endless query is running. */
export async function askEndlessly(database: Database, mapId = 'a-map') {
  const client = new AbortController()
  const { promise: isUnderWay, resolve } = Promise.withResolvers<void>()
  const ended = database.readInWorker(aQueueClient(mapId, client.signal), async (read) => {
    await sql`select 1`.execute(read)
    resolve()
    if (database.engine === 'postgres') return sql`select pg_sleep(1000000)`.execute(read)
    return sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers)
      select count(*) from numbers where goes_on(n)`.execute(read)
  })
  let isOver = false
  const outcome = ended.then(
    () => 'answered' as const,
    (error: unknown) => error,
  )
  void outcome.then(() => {
    isOver = true
  })
  await Promise.race([isUnderWay, outcome])
  // PostgreSQL ignores a cancel request that arrives before the query.
  if (database.engine === 'postgres') while (!isOver && !(await isAsleep(database)));
  return { outcome, leave: () => client.abort() }
}

async function isAsleep({ read }: Database): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`.execute(read)
  return rows.length > 0
}
