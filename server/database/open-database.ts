import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import type { Database, WriteTransaction } from './database.ts'
import type { WorkerLimits } from './fair-queue.ts'
import { outageOf } from './outage.ts'

/** Settings that say where the database is. Its engine follows from them. */
export type DatabaseLocation = { databaseUrl: string | undefined; dataDirectory: string }

/** Opens without migrating, and makes an SQLite database that is not there; see DatabaseLocation. */
export async function openDatabase(
  location: DatabaseLocation,
  onError?: (error: Error) => void,
  workerLimits: Partial<WorkerLimits> = {},
): Promise<Database> {
  const limits = { ...usualWorkerLimits, ...workerLimits }
  if (location.databaseUrl) {
    const { openPostgres } = await import('./postgres.ts')
    return mindRoom(openPostgres(location.databaseUrl, limits, onError))
  }
  const { openSqlite } = await import('./sqlite.ts')
  return mindRoom(await openSqlite(location.dataDirectory, limits))
}

const usualWorkerLimits: WorkerLimits = {
  // One processor is left for everything else.
  atOnce: Math.max(2, Math.min(4, availableParallelism() - 1)),
  mostWaiting: 50,
  timeLimitMs: 10_000,
}

/** Remembers whether the disk is full: a check writes something only after the start, and after a change has failed. */
function mindRoom(database: Omit<Database, 'checkRoom'>): Database {
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
      if (mayBeFull) await write(takeRoom)
    },
  }
}

/** As much as a change may need: a few bytes would fit into a partly filled page or log. */
const roomyBytes = 262_144

/** The table is dropped in the same transaction. */
async function takeRoom(transaction: WriteTransaction) {
  await sql`create table room_probe (content text)`.execute(transaction)
  await sql`insert into room_probe values (${randomBytes(roomyBytes / 2).toString('hex')})`.execute(
    transaction,
  )
  await sql`drop table room_probe`.execute(transaction)
}
