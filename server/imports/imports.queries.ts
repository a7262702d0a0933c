import { CompiledQuery } from 'kysely'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { ImportsTable, StagedFeaturesTable } from '../database/tables.ts'
import { rowsPerInsert } from '../features/store-features.queries.ts'

export type ImportKey = { mapId: string; importId: string }

export async function readMap(database: ReadDatabase, mapId: string) {
  return database.selectFrom('maps').select('map_id').where('map_id', '=', mapId).executeTakeFirst()
}

export async function insertImport(transaction: WriteTransaction, row: ImportsTable) {
  await transaction.insertInto('imports').values(row).execute()
}

/** Stages rows that are all of the same columns. */
export class StagingInsert {
  /** Of a full insert: building it anew for each would cost as much as the insert does. */
  private full: { text: string; columns: readonly (keyof StagedFeaturesTable)[] } | undefined

  async execute(transaction: WriteTransaction, rows: readonly StagedFeaturesTable[]) {
    const build = () => transaction.insertInto('staged_features').values(rows)
    if (rows.length < rowsPerInsert) return void (await build().execute())
    this.full ??= { text: build().compile().sql, columns: columnsOf(rows[0] as StagedFeaturesTable) }
    const { text, columns } = this.full
    const values = rows.flatMap((row) => columns.map((column) => row[column]))
    await transaction.executeQuery(CompiledQuery.raw(text, values))
  }
}

const columnsOf = (row: StagedFeaturesTable) => Object.keys(row) as (keyof StagedFeaturesTable)[]

/** Removes what an import has staged, and that it is under way. On SQLite the stage goes as a whole, which is quicker. */
export async function discardImport(
  transaction: WriteTransaction,
  engine: Database['engine'],
  { mapId, importId }: ImportKey,
) {
  if (engine === 'postgres')
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
