import { sql } from 'kysely'
import type { OwnFields } from '#domain/features/own-fields.ts'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { readOwnFields } from '../../features/own-fields/own-fields.queries.ts'
import { deriveColumns } from '../../features/rows/derive-columns.ts'
import { lockRanks, rowsPerInsert } from '../../thinning/write-features.queries.ts'
import { type NotedColumns, notedColumns } from './feature-columns.ts'
import type { ImportKey } from './imports.queries.ts'

/** A feature that an import made or replaced, and what is there today. */
export type ImportedFeature = {
  id: string
  /** What it replaced; null where it made the feature. */
  previous: FeatureColumns | null
  /** Undefined where the feature is gone. */
  current: ({ version: number; importId: string | null; updatedAt: number } & Extent) | undefined
}

/** The next features of an import after an id, a page at a time. */
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
    previous: previous === null ? null : readNoted(mapId, previous, ownFields),
    current:
      version === null
        ? undefined
        : ({ version, importId: import_id, updatedAt: updated_at, ...extent } as ImportedFeature['current']),
  }))
}

/** Derived columns are computed again: what was recorded long ago has them as they were derived then, or not at all. */
function readNoted(mapId: string, text: string, ownFields: OwnFields): FeatureColumns {
  const { is_general = 0, ...noted }: NotedColumns = JSON.parse(text)
  const kept = Object.fromEntries(notedColumns.map((column) => [column, { ...noted, is_general }[column]]))
  const row = kept as NotedColumns
  return { map_id: mapId, ...row, ...deriveColumns(row, JSON.parse(row.geometry), ownFields) }
}

/**
 * On PostgreSQL other writers go on beside this transaction: writers that add features to the map wait, and the
 * features to be put back are held as they are. SQLite has one writer at a time anyway.
 */
export async function holdImported(
  transaction: WriteTransaction,
  engine: Database['engine'],
  { mapId, importId }: ImportKey,
) {
  if (engine !== 'postgres') return
  await lockRanks(transaction, engine, mapId)
  await sql`
    select count(*) from (
      select id from features where map_id = ${mapId} and import_id = ${importId} order by id for update
    ) as held`.execute(transaction)
}
