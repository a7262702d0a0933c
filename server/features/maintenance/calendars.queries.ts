import { createHash, randomBytes } from 'node:crypto'
import type { ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { MaintenanceCalendarsTable } from '../../database/tables.ts'

/** 256 bits: cannot be guessed, so a hash without salt is safe. */
export const newSecret = () => randomBytes(32).toString('base64url')
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

export async function storeCalendar(
  transaction: WriteTransaction,
  { mapId, secret, actor, now }: { mapId: string; secret: string; actor: string; now: number },
) {
  const values = { secret_hash: hashOf(secret), created_at: now, created_by: actor }
  await transaction
    .insertInto('maintenance_calendars')
    .values({ map_id: mapId, ...values })
    .onConflict((conflict) => conflict.column('map_id').doUpdateSet(values))
    .execute()
}

export async function deleteCalendar(transaction: WriteTransaction, mapId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('maintenance_calendars')
    .where('map_id', '=', mapId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function readCalendar(
  read: ReadDatabase,
  mapId: string,
): Promise<MaintenanceCalendarsTable | undefined> {
  return read.selectFrom('maintenance_calendars').selectAll().where('map_id', '=', mapId).executeTakeFirst()
}

/** Undefined if the secret is invalid or the client is archived. */
export function findCalendar(read: ReadDatabase, secret: string) {
  return read
    .selectFrom('maintenance_calendars as calendar')
    .leftJoin('clients as client', 'client.map_id', 'calendar.map_id')
    .select(['calendar.map_id', 'client.name'])
    .where('calendar.secret_hash', '=', hashOf(secret))
    .where('client.archived_at', 'is', null)
    .executeTakeFirst()
}
