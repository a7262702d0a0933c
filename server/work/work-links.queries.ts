import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { WorkLinksTable } from '../database/tables.ts'
import { updateById } from '../database/update-by-id.ts'

type Key = { mapId: string; id: string }

const select = (read: ReadDatabase, mapId: string) =>
  read.selectFrom('work_links').selectAll().where('map_id', '=', mapId)

export const readWorkLink = (read: ReadDatabase, { mapId, id }: Key) =>
  select(read, mapId).where('id', '=', id).executeTakeFirst()

/** Newest first. */
export const listWorkLinks = (
  read: ReadDatabase,
  { mapId, incidentId }: { mapId: string; incidentId: string },
): Promise<WorkLinksTable[]> =>
  select(read, mapId)
    .where('incident_id', '=', incidentId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute()

export const insertWorkLink = (transaction: WriteTransaction, row: WorkLinksTable) =>
  transaction.insertInto('work_links').values(row).execute()

export const updateWorkLink = (transaction: WriteTransaction, key: Key, columns: Partial<WorkLinksTable>) =>
  updateById(transaction, 'work_links', key, columns)

/** Addresses of contractors are erased a year after their link expired. */
const yearMs = 365 * 86_400_000

export async function eraseContractors(transaction: WriteTransaction, now: number) {
  await transaction
    .updateTable('work_links')
    .set({ email: null })
    .where('email', 'is not', null)
    .where('expires_at', '<', now - yearMs)
    .execute()
}
