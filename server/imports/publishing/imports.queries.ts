import { CompiledQuery, sql } from 'kysely'
import type { Database, ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { ImportsTable } from '../../database/tables.ts'
import type { RowBatch } from '../reading/read-batches.ts'

export type ImportKey = { mapId: string; importId: string }

export async function readMap(database: ReadDatabase, mapId: string) {
  return database.selectFrom('maps').select('map_id').where('map_id', '=', mapId).executeTakeFirst()
}

export async function insertImport(transaction: WriteTransaction, row: ImportsTable) {
  await transaction.insertInto('imports').values(row).execute()
}

/** Stages rows, batch by batch. */
export class StagingInsert {
  /** Building a long statement anew for each batch would cost as much as running it does. */
  private last: { rows: number; text: string } | undefined

  async execute(transaction: WriteTransaction, { columns, values }: Pick<RowBatch, 'columns' | 'values'>) {
    const rows = values.length / columns.length
    if (this.last?.rows !== rows) this.last = { rows, text: stagingText(transaction, columns, rows) }
    await transaction.executeQuery(CompiledQuery.raw(this.last.text, values))
  }
}

function stagingText(transaction: WriteTransaction, columns: RowBatch['columns'], rows: number): string {
  const row = sql`(${sql.join(columns.map(() => null))})`
  const insert = sql`
    insert into staged_features (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(Array.from({ length: rows }, () => row))}`
  return insert.compile(transaction).sql
}

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

export type NewerImport = Pick<ImportsTable, 'id' | 'source' | 'started_at'>

/** Finished imports after this one that may have changed its features, the newest first: they are undone before it. */
export async function findNewerImports(
  database: ReadDatabase,
  { mapId, importId }: ImportKey,
): Promise<NewerImport[]> {
  return database
    .selectFrom('imports as newer')
    .innerJoin('imports as this', (join) =>
      join
        .onRef('this.map_id', '=', 'newer.map_id')
        .onRef('this.started_at', '<', 'newer.started_at')
        .on('this.id', '=', importId)
        .on('this.state', '=', 'done'),
    )
    .select(['newer.id', 'newer.source', 'newer.started_at'])
    .where('newer.map_id', '=', mapId)
    .where('newer.state', '=', 'done')
    .where(({ eb, or, ref }) =>
      or([eb('newer.updated_count', '>', 0), eb('newer.source', '=', ref('this.source'))]),
    )
    .orderBy('newer.started_at', 'desc')
    .limit(5)
    .execute()
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
