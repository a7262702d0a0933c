import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { UploadsTable } from '../database/tables.ts'

export function readUpload(
  read: ReadDatabase,
  { mapId, id }: { mapId: string; id: string },
): Promise<UploadsTable | undefined> {
  return read
    .selectFrom('uploads')
    .selectAll()
    .where(({ and }) => and({ map_id: mapId, id }))
    .executeTakeFirst()
}

/** Unfinished uploads of a person, except one. */
export async function countUploadsOf(
  read: ReadDatabase,
  { mapId, personId, except }: { mapId: string; personId: string; except: string },
): Promise<number> {
  const { count } = await read
    .selectFrom('uploads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ and }) => and({ map_id: mapId, person_id: personId }))
    .where('id', '!=', except)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertUpload(transaction: WriteTransaction, row: UploadsTable) {
  await transaction.insertInto('uploads').values(row).execute()
}

export async function updateUpload(
  transaction: WriteTransaction,
  { map_id, id, received }: UploadsTable,
  columns: Pick<UploadsTable, 'received' | 'pieces'>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('uploads')
    .set(columns)
    .where(({ and }) => and({ map_id, id, received }))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteUpload(transaction: WriteTransaction, { map_id, id }: UploadsTable) {
  await transaction
    .deleteFrom('uploads')
    .where(({ and }) => and({ map_id, id }))
    .execute()
}

export function readOldUploads(read: ReadDatabase, before: number): Promise<UploadsTable[]> {
  return read.selectFrom('uploads').selectAll().where('created_at', '<', before).execute()
}
