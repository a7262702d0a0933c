import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { UploadsTable } from '../database/tables.ts'

type Key = { mapId: string; id: string }

export function readUpload(read: ReadDatabase, { mapId, id }: Key): Promise<UploadsTable | undefined> {
  return read
    .selectFrom('uploads')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertUpload(transaction: WriteTransaction, row: UploadsTable) {
  await transaction.insertInto('uploads').values(row).execute()
}

/** True where it had come so far as the sender thinks, and has come further now. */
export async function updateUpload(
  transaction: WriteTransaction,
  { mapId, id }: Key,
  before: number,
  columns: Pick<UploadsTable, 'received' | 'pieces'>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('uploads')
    .set(columns)
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .where('received', '=', before)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteUpload(transaction: WriteTransaction, { mapId, id }: Key) {
  await transaction.deleteFrom('uploads').where('map_id', '=', mapId).where('id', '=', id).execute()
}

export function readOldUploads(read: ReadDatabase, before: number): Promise<UploadsTable[]> {
  return read.selectFrom('uploads').selectAll().where('created_at', '<', before).execute()
}
