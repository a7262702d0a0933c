import { sql } from 'kysely'
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

/** An upload of a visitor that received nothing for so long has expired. */
const visitorRetentionMs = 15 * 60_000

const progressAt = sql<number>`coalesce(progress_at, created_at)`

/** People without an account upload by the key of a report or work link (`reporterOf`, `contractorOf`). */
const isOfVisitor = sql<boolean>`(person_id like 'report:%' or person_id like 'work-link:%')`

/** The bytes that uploads on a map announced, without those of expired ones. */
export async function sumUploads(
  read: ReadDatabase,
  mapId: string,
  { now, areOfVisitors = false }: { now: number; areOfVisitors?: boolean },
): Promise<number> {
  const { bytes } = await read
    .selectFrom('uploads')
    .select(({ fn }) => fn.sum<number | null>('size').as('bytes'))
    .where('map_id', '=', mapId)
    .where(({ or, eb, not }) =>
      or([...(areOfVisitors ? [] : [not(isOfVisitor)]), eb(progressAt, '>=', now - visitorRetentionMs)]),
    )
    .$if(areOfVisitors, (query) => query.where(isOfVisitor))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Unfinished uploads of a visitor, except one and those that expired. */
export async function countUploadsOf(
  read: ReadDatabase,
  { mapId, personId, except }: { mapId: string; personId: string; except: string },
): Promise<number> {
  const { count } = await read
    .selectFrom('uploads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ and }) => and({ map_id: mapId, person_id: personId }))
    .where('id', '!=', except)
    .where(progressAt, '>=', Date.now() - visitorRetentionMs)
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
    .set({ ...columns, progress_at: Date.now() })
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

export function readOldUploads(
  read: ReadDatabase,
  { now, retentionMs }: { now: number; retentionMs: number },
): Promise<UploadsTable[]> {
  return read
    .selectFrom('uploads')
    .selectAll()
    .where(({ or, and, eb }) =>
      or([
        eb('created_at', '<', now - retentionMs),
        and([isOfVisitor, eb(progressAt, '<', now - visitorRetentionMs)]),
      ]),
    )
    .execute()
}
