import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import type { Database, WriteTransaction } from './database.ts'
import type { WorkerLimits } from './fair-queue.ts'
import { outageOf } from './outage.ts'

export type DatabaseLocation = {
  databaseUrl: string | undefined
  databaseReadUrl?: string | undefined
  dataDirectory: string
}

/** Does not migrate. Creates a missing SQLite database. */
export async function openDatabase(
  location: DatabaseLocation,
  onError?: (error: Error) => void,
  workerLimits: Partial<WorkerLimits> = {},
): Promise<Database> {
  const limits = { ...usualWorkerLimits, ...workerLimits }
  if (location.databaseUrl) {
    const { openPostgres } = await import('./postgres.ts')
    return withRoomCheck(
      openPostgres({ url: location.databaseUrl, readUrl: location.databaseReadUrl }, limits, onError),
    )
  }
  const { openSqlite } = await import('./sqlite.ts')
  return withRoomCheck(await openSqlite(location.dataDirectory, limits))
}

const usualWorkerLimits: WorkerLimits = {
  // Leaves one processor for everything else.
  atOnce: Math.max(2, Math.min(4, availableParallelism() - 1)),
  maxWaiting: 50,
  timeLimitMs: 10_000,
}

/** Writes a probe only after the start and after a failed change. */
function withRoomCheck(database: Omit<Database, 'checkRoom'>): Database {
  let mayBeFull = true
  const write: Database['write'] = async (work) => {
    try {
      const result = await database.write(work)
      mayBeFull = false
      return result
    } catch (error) {
      if (outageOf(error) === 'full') mayBeFull = true
      throw error
    }
  }
  return {
    ...database,
    write,
    async checkRoom() {
      if (mayBeFull) await write(writeProbe)
    },
  }
}

const probeBytes = 262_144

async function writeProbe(transaction: WriteTransaction) {
  await sql`create table room_probe (content text)`.execute(transaction)
  await sql`insert into room_probe values (${randomBytes(probeBytes / 2).toString('hex')})`.execute(
    transaction,
  )
  await sql`drop table room_probe`.execute(transaction)
}
