import { maxChangedSince } from '#domain/features/parcels-as-of.schema.ts'
import type { ReadDatabase } from '../../database/database.ts'

const idsPerQuery = 500

/** Those of the features that users or imports have changed since. */
export async function readChangedSince(
  read: ReadDatabase,
  mapId: string,
  ids: readonly string[],
  at: number,
): Promise<Set<string>> {
  const changed = new Set<string>()
  for (let from = 0; from < ids.length; from += idsPerQuery) {
    const some = ids.slice(from, from + idsPerQuery)
    const edited = await read
      .selectFrom('feature_history')
      .select('feature_id as id')
      .distinct()
      .where('map_id', '=', mapId)
      .where('feature_id', 'in', some)
      .where('at', '>', at)
      .execute()
    const imported = await read
      .selectFrom('import_changes as change')
      .innerJoin('imports as import', (join) =>
        join.onRef('import.map_id', '=', 'change.map_id').onRef('import.id', '=', 'change.import_id'),
      )
      .select('change.id')
      .distinct()
      .where('change.map_id', '=', mapId)
      .where('change.id', 'in', some)
      .where('import.state', '=', 'done')
      .where('import.finished_at', '>', at)
      .execute()
    for (const { id } of [...edited, ...imported]) changed.add(id)
  }
  return changed
}

/** Parcels that existed then, at most one more than can be walked back. */
export async function readParcelsRemovedSince(
  read: ReadDatabase,
  mapId: string,
  at: number,
): Promise<{ id: string; createdAt: number }[]> {
  const rows = await read
    .selectFrom('removed_features')
    .select(['id', 'created_at'])
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .where('removed_at', '>', at)
    .orderBy('removed_at')
    .orderBy('id')
    .limit(maxChangedSince + 1)
    .execute()
  return rows.map(({ id, created_at: createdAt }) => ({ id, createdAt }))
}
