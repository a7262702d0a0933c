import type { Database, ReadDatabase, WriteTransaction } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { RowInsert } from '../../database/row-insert.ts'
import type { ImportsTable } from '../../database/tables.ts'
import { NotAnsweredError } from '../../domain-error.ts'
import type { RowBatch } from '../reading/read-rows.ts'

export type ImportKey = { mapId: string; importId: string }

export async function readMap(database: ReadDatabase, mapId: string) {
  return database.selectFrom('maps').select('map_id').where('map_id', '=', mapId).executeTakeFirst()
}

export async function insertImport(transaction: WriteTransaction, row: ImportsTable) {
  await transaction.insertInto('imports').values(row).execute()
}

export class StagingInsert {
  private insert: RowInsert | undefined

  async execute(transaction: WriteTransaction, { columns, values }: Pick<RowBatch, 'columns' | 'values'>) {
    this.insert ??= new RowInsert('staged_features', columns)
    await this.insert.execute(transaction, values)
  }
}

/** SQLite drops its whole stage later, which is faster. */
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

/** `instant` is in epoch milliseconds. */
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

export function findImports(database: ReadDatabase, importId: string, mapId?: string) {
  const imports = database.selectFrom('imports').selectAll().where('id', '=', importId)
  return (mapId === undefined ? imports : imports.where('map_id', '=', mapId)).execute()
}

export type NewerImport = Pick<ImportsTable, 'id' | 'source' | 'started_at'> & {
  files: string[]
  features: number
}

/**
 * Newer imports that last changed or removed features of this import, the newest first. Undoing this import skips those
 * features. One pass over the changes of this import, which may be many.
 */
export async function findNewerImports(
  database: ReadDatabase,
  { mapId, importId }: ImportKey,
): Promise<NewerImport[]> {
  const rows = await database
    .selectFrom('import_changes as change')
    .innerJoin('imports as this', (join) =>
      join
        .onRef('this.map_id', '=', 'change.map_id')
        .onRef('this.id', '=', 'change.import_id')
        .on('this.state', '=', 'done'),
    )
    .leftJoin('features as feature', (join) =>
      join.onRef('feature.map_id', '=', 'change.map_id').onRef('feature.id', '=', 'change.id'),
    )
    .leftJoin('removed_features as removed', (join) =>
      join.onRef('removed.map_id', '=', 'change.map_id').onRef('removed.id', '=', 'change.id'),
    )
    .innerJoin('imports as newer', (join) =>
      join
        .onRef('newer.map_id', '=', 'change.map_id')
        .on('newer.state', '=', 'done')
        .onRef('newer.started_at', '>', 'this.started_at')
        .on(({ eb, and, or, ref, fn }) =>
          and([
            eb('newer.id', '=', fn.coalesce('feature.import_id', 'removed.change_id')),
            // A feature that people changed after the import has the time of their change.
            or([eb('feature.id', 'is', null), eb('feature.updated_at', '=', ref('newer.started_at'))]),
          ]),
        ),
    )
    .select(['newer.id', 'newer.source', 'newer.started_at'])
    .select(({ fn }) => fn.countAll().as('features'))
    .where('change.map_id', '=', mapId)
    .where('change.import_id', '=', importId)
    .groupBy(['newer.id', 'newer.source', 'newer.started_at'])
    .orderBy('newer.started_at', 'desc')
    .limit(20)
    .execute()
  const counted = rows.map((row) => ({ ...row, features: Number(row.features) }))
  return nameFiles(database, { mapId, importId }, counted)
}

/** The same in a worker. If comparing takes too long, returns all newer imports. */
export async function readNewerImports(
  database: Database,
  asker: QueueClient,
  importId: string,
): Promise<NewerImport[]> {
  const key = { mapId: asker.mapId, importId }
  const newer = await listNewerImports(database.read, key)
  if (newer.length === 0) return []
  try {
    return await database.readInWorker(asker, (read) => findNewerImports(read, key))
  } catch (error) {
    if (!(error instanceof NotAnsweredError && error.reason === 'too long')) throw error
    return nameFiles(database.read, key, newer)
  }
}

function listNewerImports(database: ReadDatabase, { mapId, importId }: ImportKey) {
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
    .select(({ ref }) => ref('newer.updated_count').as('features'))
    .where('newer.map_id', '=', mapId)
    .where('newer.state', '=', 'done')
    .orderBy('newer.started_at', 'desc')
    .limit(20)
    .execute()
}

async function nameFiles(
  database: ReadDatabase,
  { mapId }: ImportKey,
  imports: readonly Omit<NewerImport, 'files'>[],
): Promise<NewerImport[]> {
  if (imports.length === 0) return []
  const files = await database
    .selectFrom('import_drafts as draft')
    .innerJoin('import_draft_files as file', (join) =>
      join.onRef('file.map_id', '=', 'draft.map_id').onRef('file.draft_id', '=', 'draft.id'),
    )
    .select(['draft.import_id', 'file.name'])
    .where('draft.map_id', '=', mapId)
    .where(
      'draft.import_id',
      'in',
      imports.map(({ id }) => id),
    )
    .orderBy('file.list_order')
    .execute()
  return imports.map((one) => ({
    ...one,
    files: files.filter(({ import_id }) => import_id === one.id).map(({ name }) => name),
  }))
}

export const toNewerImport = ({ source, files, started_at, features }: NewerImport) => ({
  source,
  files,
  importedAt: new Date(started_at).toISOString(),
  features,
})

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
