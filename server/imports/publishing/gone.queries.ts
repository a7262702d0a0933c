import { sql } from 'kysely'
import type { Database, Extent, WriteTransaction } from '../../database/database.ts'
import { changesOf, type Source } from './edits.queries.ts'
import type { ImportKey } from './imports.queries.ts'

export type GoneFeature = Extent & { id: string; name: string; lng: number; lat: number }

/**
 * Features that imports of the source have made or changed and that are not staged, in the order of their ids. Call it while all
 * rows of the file are staged.
 */
export async function readNotStaged(
  transaction: WriteTransaction,
  engine: Database['engine'],
  { importId }: ImportKey,
  { mapId, source, kind }: Source,
): Promise<GoneFeature[]> {
  const staged = sql`
    select staged_features.id from staged_features
    where staged_features.map_id = ${mapId} and staged_features.import_id = ${importId}`
  // The stage is in another order: each engine goes through it once in its own way only.
  const isNotStaged =
    engine === 'postgres'
      ? sql`not exists (${staged} and staged_features.id = features.id)`
      : sql`features.id not in (${staged})`
  const { rows } = await sql<GoneFeature>`
    select id, name, lng, lat, west, south, east, north from features
    where map_id = ${mapId}
      and id in (
        select import_changes.id from ${changesOf({ mapId, source, kind })}
      )
      and ${isNotStaged}
    order by id`.execute(transaction)
  return rows
}

/** Notes for good that the import has removed features: they may come back with a later file. */
export async function noteRemovals(
  transaction: WriteTransaction,
  { mapId: map_id, importId: import_id }: ImportKey,
  ids: readonly string[],
) {
  if (ids.length === 0) return
  const rows = ids.map((id) => ({ map_id, import_id, id, previous: null, deed: 'removal' as const }))
  await transaction.insertInto('import_changes').values(rows).execute()
}
