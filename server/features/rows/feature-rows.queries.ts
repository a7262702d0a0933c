import type { Database, ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import type { StoredFeature } from '../../thinning/write-features.queries.ts'

const selectFeatures = (read: ReadDatabase, mapId: string) =>
  read.selectFrom('features').selectAll().where('map_id', '=', mapId)

export function readFeature(
  { read }: Database,
  mapId: string,
  id: string,
): Promise<FeatureColumns | undefined> {
  return selectFeatures(read, mapId).where('id', '=', id).executeTakeFirst()
}

export function readRowsAfter(
  database: ReadDatabase,
  mapId: string,
  after: string,
  limit: number,
): Promise<FeatureColumns[]> {
  return selectFeatures(database, mapId).where('id', '>', after).orderBy('id').limit(limit).execute()
}

export async function lockFeatures(
  { dialect }: Database,
  transaction: WriteTransaction,
  mapId: string,
  ids: readonly string[],
): Promise<Map<string, StoredFeature>> {
  if (ids.length === 0) return new Map()
  const rows = selectFeatures(transaction, mapId)
    .where('id', 'in', ids)
    // In a stable order, to avoid deadlocks.
    .orderBy('id')
  return new Map((await dialect.lockForUpdate(rows).execute()).map((row) => [row.id, row]))
}

export async function readRowsOf(
  read: ReadDatabase,
  mapId: string,
  ids: readonly string[],
): Promise<Map<string, StoredFeature>> {
  if (ids.length === 0) return new Map()
  const rows = await selectFeatures(read, mapId).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function hasFeature({ read }: Database, mapId: string, id: string): Promise<boolean> {
  const row = await read
    .selectFrom('features')
    .select('id')
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
