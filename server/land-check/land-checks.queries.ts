import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { LandChecksTable } from '../database/tables.ts'

type LandCheckKey = { mapId: string; id: string }

export function readLandCheck(read: ReadDatabase, mapId: string): Promise<LandChecksTable | undefined> {
  return read.selectFrom('land_checks').selectAll().where('map_id', '=', mapId).executeTakeFirst()
}

/** Replaces an earlier one. */
export async function insertLandCheck(transaction: WriteTransaction, row: LandChecksTable): Promise<void> {
  const { map_id: _, ...columns } = row
  await transaction
    .insertInto('land_checks')
    .values(row)
    .onConflict((conflict) => conflict.column('map_id').doUpdateSet(columns))
    .execute()
}

/** Returns false if the check was canceled or replaced. */
export async function updateLandCheck(
  transaction: WriteTransaction,
  { mapId, id }: LandCheckKey,
  columns: Partial<LandChecksTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('land_checks')
    .set(columns)
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteLandCheck(transaction: WriteTransaction, mapId: string): Promise<void> {
  await transaction.deleteFrom('land_checks').where('map_id', '=', mapId).execute()
}

const rowsPerPage = 2_000

/** In parts, in order of their ids. */
export async function* readParcels({ read }: Pick<Database, 'read'>, mapId: string) {
  let last = ''
  for (;;) {
    const rows = await read
      .selectFrom('features')
      .select(['id', 'name', 'version', 'geometry'])
      .where('map_id', '=', mapId)
      .where('kind', '=', 'parcel')
      .where('is_general', '=', 0)
      .where('id', '>', last)
      .orderBy('id')
      .limit(rowsPerPage)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerPage) return
    last = (rows.at(-1) as (typeof rows)[number]).id
  }
}

const idsPerQuery = 500

/** Of those that still exist. */
export async function readVersions(
  read: ReadDatabase,
  mapId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const versions = new Map<string, number>()
  for (let from = 0; from < ids.length; from += idsPerQuery) {
    const rows = await read
      .selectFrom('features')
      .select(['id', 'version'])
      .where('map_id', '=', mapId)
      .where('id', 'in', ids.slice(from, from + idsPerQuery))
      .execute()
    for (const { id, version } of rows) versions.set(id, version)
  }
  return versions
}

/** Whether features of the map have changed since. */
export async function hasChangedSince(read: ReadDatabase, mapId: string, at: number): Promise<boolean> {
  const activity = await read
    .selectFrom('activity')
    .select('id')
    .where('map_id', '=', mapId)
    .where('at', '>', at)
    .where(({ or, eb }) => or([eb('action', 'like', 'feature%'), eb('action', 'like', 'import%')]))
    .limit(1)
    .executeTakeFirst()
  return activity !== undefined
}
