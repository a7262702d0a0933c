import { sql } from 'kysely'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'

/** Any number that no other lock of the application uses. */
const advisoryLock = 7_062_025_002

export async function lockSampleData(transaction: WriteTransaction, engine: Database['engine']) {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(transaction)
}

/** The reserved map represents all sample data: it is created with the rest, and cannot be deleted. */
export async function hasSampleData(database: ReadDatabase): Promise<boolean> {
  const map = await database
    .selectFrom('maps')
    .select('map_id')
    .where('map_id', '=', sampleMapId)
    .executeTakeFirst()
  return map !== undefined
}
