import { maxFeaturesInAnswer } from '#domain/features/feature-collection.ts'
import type { Database, ReadDatabase } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { Pauses } from '../../database/pauses.ts'
import { rowsOfFirstPart, rowsOfNextPart } from '../../database/row-parts.ts'
import { seenFirst } from '../../thinning/read-tile.queries.ts'
import type { FeatureFilter } from './feature-filter.ts'
import { countMatching, matchesFilter } from './feature-matches.queries.ts'

/** Limits of one response, in features and bytes. */
const maxResponse = { features: maxFeaturesInAnswer, bytes: 16_000_000 }

/**
 * A GeoJSON feature collection with the stored geometries. If there are too many features, includes those first that
 * the map shows at the lowest zoom, which are spread over the land.
 */
export async function readFeatureCollection(
  database: Database,
  caller: QueueClient,
  filter: FeatureFilter,
  limits = maxResponse,
): Promise<string> {
  const { mapId } = caller
  const { ids, total } = await database.readInWorker(caller, async (read) => {
    const found = await readIdsSeenFirst(database, read, mapId, filter, limits.features)
    const isAll = found.length < limits.features
    return { ids: found, total: isAll ? found.length : await countMatching(database, read, mapId, filter) }
  })
  const features: string[] = []
  let bytes = 0
  let size = rowsOfFirstPart
  const pauses = new Pauses()
  for (let first = 0; first < ids.length && bytes < limits.bytes; ) {
    for (const feature of await readGeoJson(database.read, mapId, ids.slice(first, first + size))) {
      bytes += feature.length
      if (bytes > limits.bytes && features.length > 0) break
      features.push(feature)
    }
    first += size
    size = rowsOfNextPart(first, bytes)
    await pauses.pause()
  }
  const counts = `"numberMatched":${total},"numberReturned":${features.length}`
  return `{"type":"FeatureCollection",${counts},"features":[${features.join(',')}]}`
}

async function readIdsSeenFirst(
  database: Database,
  read: ReadDatabase,
  mapId: string,
  filter: FeatureFilter,
  limit: number,
): Promise<string[]> {
  const rows = await read
    .selectFrom('features')
    .select('id')
    .where(matchesFilter(database, mapId, filter))
    .orderBy(seenFirst)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

async function readGeoJson(read: ReadDatabase, mapId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await read
    .selectFrom('features')
    .select(['id', 'kind', 'type', 'status', 'severity', 'date', 'geometry'])
    .where('map_id', '=', mapId)
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const { kind, type, status, severity, geometry } = row
    const date = row.date === null ? null : new Date(row.date).toISOString()
    const properties = JSON.stringify({ kind, type, status, severity, date })
    return `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":${properties}}`
  })
}
