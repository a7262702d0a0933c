import { randomBytes } from 'node:crypto'
import type { Database, ReadDatabase } from '../database/database.ts'

/** Signs challenges and hashes addresses of senders. Created when it is first needed. */
export async function requireReportSecret(database: Database, mapId: string): Promise<string> {
  const current = await readSecret(database.read, mapId)
  if (current !== undefined) return current
  return database.write(async (transaction) => {
    const secret = randomBytes(32).toString('hex')
    await transaction
      .insertInto('report_secrets')
      .values({ map_id: mapId, secret })
      .onConflict((conflict) => conflict.column('map_id').doNothing())
      .execute()
    // Another server may have been first.
    return (await readSecret(transaction, mapId)) ?? secret
  })
}

async function readSecret(read: ReadDatabase, mapId: string): Promise<string | undefined> {
  const row = await read
    .selectFrom('report_secrets')
    .select('secret')
    .where('map_id', '=', mapId)
    .executeTakeFirst()
  return row?.secret
}
