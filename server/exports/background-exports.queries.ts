import {
  type BackgroundExport,
  exportRetentionMs,
  isBeingWritten,
} from '#domain/exports/background-export.schema.ts'
import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { BackgroundExportsTable } from '../database/tables.ts'

export type ExportKey = { mapId: string; id: string }

export function readExport(
  read: ReadDatabase,
  { mapId, id }: ExportKey,
): Promise<BackgroundExportsTable | undefined> {
  return read
    .selectFrom('background_exports')
    .selectAll()
    .where(({ and }) => and({ map_id: mapId, id }))
    .executeTakeFirst()
}

export function readExportsOf(
  read: ReadDatabase,
  { mapId, personId }: { mapId: string; personId: string },
  now: number,
): Promise<BackgroundExportsTable[]> {
  return read
    .selectFrom('background_exports')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('person_id', '=', personId)
    .where(({ eb, or }) =>
      or([eb('finished_at', 'is', null), eb('finished_at', '>', now - exportRetentionMs)]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

export function readExpiredExports(read: ReadDatabase, now: number): Promise<BackgroundExportsTable[]> {
  return read
    .selectFrom('background_exports')
    .selectAll()
    .where('finished_at', '<=', now - exportRetentionMs)
    .execute()
}

export async function insertExport(transaction: WriteTransaction, row: BackgroundExportsTable) {
  await transaction.insertInto('background_exports').values(row).execute()
}

/** Returns false if another attempt was started since, or the export is finished or removed. */
export async function updateExport(
  transaction: WriteTransaction,
  { map_id, id, attempt }: Pick<BackgroundExportsTable, 'map_id' | 'id' | 'attempt'>,
  columns: Partial<BackgroundExportsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('background_exports')
    .set(columns)
    .where(({ and }) => and({ map_id, id, attempt }))
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export function deleteExport(
  transaction: WriteTransaction,
  { mapId, id }: ExportKey,
): Promise<BackgroundExportsTable | undefined> {
  return transaction
    .deleteFrom('background_exports')
    .where(({ and }) => and({ map_id: mapId, id }))
    .returningAll()
    .executeTakeFirst()
}

export const piecesOf = ({ pieces }: Pick<BackgroundExportsTable, 'pieces'>): number[] => JSON.parse(pieces)

export function toBackgroundExport(row: BackgroundExportsTable): BackgroundExport {
  const { id, state, problem, total, finished_at: finishedAt } = row
  return {
    id,
    format: JSON.parse(row.question).format,
    fileName: row.file_name,
    state,
    rows: row.rows_read,
    total,
    bytes: state === 'done' ? piecesOf(row).reduce((sum, bytes) => sum + bytes, 0) : null,
    problem,
    startedAt: new Date(row.created_at).toISOString(),
    keptUntil:
      finishedAt === null || isBeingWritten(state)
        ? null
        : new Date(finishedAt + exportRetentionMs).toISOString(),
  }
}
