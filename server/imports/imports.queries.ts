import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { ImportsTable, StagedFeaturesTable } from '../database/tables.ts'

export type ImportKey = { mapId: string; importId: string }

export async function readMap(database: ReadDatabase, mapId: string) {
  return database.selectFrom('maps').select('map_id').where('map_id', '=', mapId).executeTakeFirst()
}

export async function insertImport(transaction: WriteTransaction, row: ImportsTable) {
  await transaction.insertInto('imports').values(row).execute()
}

export async function stageFeatures(transaction: WriteTransaction, rows: readonly StagedFeaturesTable[]) {
  await transaction.insertInto('staged_features').values(rows).execute()
}

/** Removes what an import left that will never finish. */
export async function discardImport(transaction: WriteTransaction, { mapId, importId }: ImportKey) {
  await transaction
    .deleteFrom('staged_features')
    .where('map_id', '=', mapId)
    .where('import_id', '=', importId)
    .execute()
  await transaction
    .deleteFrom('imports')
    .where('map_id', '=', mapId)
    .where('id', '=', importId)
    .where('state', '=', 'staging')
    .execute()
}

/** Removes what imports left that started before an instant (epoch milliseconds) and never finished. */
export async function discardImportsBefore(transaction: WriteTransaction, instant: number) {
  await transaction.deleteFrom('staged_features').where('created_at', '<', instant).execute()
  await transaction
    .deleteFrom('imports')
    .where('state', '=', 'staging')
    .where('started_at', '<', instant)
    .execute()
}

export function listImports(database: ReadDatabase, mapId: string) {
  return database
    .selectFrom('imports')
    .selectAll()
    .where('map_id', '=', mapId)
    .orderBy('started_at')
    .orderBy('id')
    .execute()
}

export function findImports(database: ReadDatabase, importId: string) {
  return database.selectFrom('imports').selectAll().where('id', '=', importId).execute()
}

/** Returns false where it was no finished import any more. */
export async function markUndone(transaction: WriteTransaction, { mapId, importId }: ImportKey) {
  await transaction
    .deleteFrom('import_changes')
    .where('map_id', '=', mapId)
    .where('import_id', '=', importId)
    .execute()
  const { numUpdatedRows } = await transaction
    .updateTable('imports')
    .set({ state: 'undone' })
    .where('map_id', '=', mapId)
    .where('id', '=', importId)
    .where('state', '=', 'done')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) === 1
}
