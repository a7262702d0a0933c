import { sql } from 'kysely'
import type { OwnFields } from '#domain/features/own-fields.ts'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { readOwnFields } from '../../features/own-fields/own-fields.queries.ts'
import { deriveColumns } from '../../features/rows/derive-columns.ts'
import { rowsPerInsert } from '../../thinning/write-features.queries.ts'
import { type NotedColumns, notedColumns } from './feature-columns.ts'
import type { ImportKey } from './imports.queries.ts'
import { lockFeatures } from './publish.queries.ts'

export type ImportedFeature = {
  id: string
  previous: FeatureColumns | null
  current: ({ version: number; importId: string | null; updatedAt: number } & Extent) | undefined
}

export async function readImportedFeatures(
  transaction: WriteTransaction,
  { mapId, importId }: ImportKey,
  after: string,
): Promise<ImportedFeature[]> {
  const ownFields = await readOwnFields(transaction, mapId)
  const rows = await transaction
    .selectFrom('import_changes as change')
    .leftJoin('features as feature', (join) =>
      join.onRef('feature.map_id', '=', 'change.map_id').onRef('feature.id', '=', 'change.id'),
    )
    .select(['change.id', 'change.previous', 'feature.version', 'feature.import_id', 'feature.updated_at'])
    .select(['feature.west', 'feature.south', 'feature.east', 'feature.north'])
    .where('change.map_id', '=', mapId)
    .where('change.import_id', '=', importId)
    .where('change.deed', '<>', 'removal')
    .where('change.id', '>', after)
    .orderBy('change.id')
    .limit(rowsPerInsert)
    .execute()
  return rows.map(({ id, previous, version, import_id, updated_at, ...extent }) => ({
    id,
    previous: previous === null ? null : readPrevious(mapId, previous, ownFields),
    current:
      version === null
        ? undefined
        : ({ version, importId: import_id, updatedAt: updated_at, ...extent } as ImportedFeature['current']),
  }))
}

/** Derives columns again: old records have outdated ones, or none. */
function readPrevious(mapId: string, text: string, ownFields: OwnFields): FeatureColumns {
  const { is_general = 0, ...noted }: NotedColumns = JSON.parse(text)
  const columns = Object.fromEntries(notedColumns.map((column) => [column, { ...noted, is_general }[column]]))
  const row = columns as NotedColumns
  return { map_id: mapId, ...row, ...deriveColumns(row, JSON.parse(row.geometry), ownFields) }
}

export const lockImported = (
  transaction: WriteTransaction,
  engine: Database['engine'],
  { mapId, importId }: ImportKey,
) => lockFeatures(transaction, engine, mapId, sql`import_id = ${importId}`)
