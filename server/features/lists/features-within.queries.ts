import { setImmediate } from 'node:timers/promises'
import { maxSelected } from '#domain/features/bulk-change.ts'
import type { FeaturesWithin } from '#domain/features/features-within.schema.ts'
import { type EnclosedArea, enclosedAreas } from '#domain/geometry/enclosed-area.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { Database, ReadDatabase } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { workOnShapes } from '../../geometry/shape-threads.ts'
import type { FeatureFilter } from './feature-filter.ts'
import { matchesFilter, withoutUselessBox } from './feature-matches.queries.ts'

/** `around` limits the features whose extents are compared with the area. */
const mostFeatures = { found: maxSelected, around: 200_000 }
/** Extents compared before other requests run. */
const extentsAtOnce = 2_000
const geometriesAtOnce = 500
const mostMs = 9_000

export async function readFeaturesWithin(
  database: Database,
  caller: QueueClient,
  filter: FeatureFilter,
  corners: readonly Position[],
  most = mostFeatures,
): Promise<FeaturesWithin> {
  const found = new Map<string, FeaturesWithin['items'][number]>()
  let isAll = true
  for (const area of enclosedAreas(corners)) {
    const { extent } = area
    const around = await withoutUselessBox(database, caller.mapId, { bbox: extent, ...filter })
    isAll &&= await database.readInWorker(caller, async (read) => {
      const rows = await readExtents(database, read, caller.mapId, around, most.around + 1)
      for await (const item of itemsWithin(read, caller, area, rows)) {
        found.set(item.id, item)
        if (found.size > most.found) return false
      }
      return rows.length <= most.around
    })
    if (found.size > most.found) break
  }
  return { items: [...found.values()].slice(0, most.found), isAll }
}

function readExtents(
  database: Database,
  read: ReadDatabase,
  mapId: string,
  filter: FeatureFilter,
  limit: number,
) {
  return read
    .selectFrom('features')
    .select(['id', 'kind', 'west', 'south', 'east', 'north'])
    .where(matchesFilter(database, mapId, filter))
    .limit(limit)
    .execute()
}

/** Extents decide most features; geometries are read only at the edge of the area. */
async function* itemsWithin(
  read: ReadDatabase,
  { mapId, signal }: QueueClient,
  area: EnclosedArea,
  rows: Awaited<ReturnType<typeof readExtents>>,
): AsyncGenerator<FeaturesWithin['items'][number]> {
  const atEdge: string[] = []
  for (const [index, row] of rows.entries()) {
    const meets = area.meetsAnyIn(row)
    if (meets) yield { id: row.id, kind: row.kind }
    if (meets === undefined) atEdge.push(row.id)
    if (index % extentsAtOnce === extentsAtOnce - 1) {
      signal.throwIfAborted()
      await setImmediate()
    }
  }
  for (let start = 0; start < atEdge.length; start += geometriesAtOnce) {
    const some = await read
      .selectFrom('features')
      .select(['id', 'kind', 'geometry'])
      .where('map_id', '=', mapId)
      .where('id', 'in', atEdge.slice(start, start + geometriesAtOnce))
      .execute()
    const geometries = some.map(({ geometry }) => geometry)
    const input = { corners: area.corners, geometries }
    const answers = await workOnShapes({ mapId, signal }, 'within', input, mostMs)
    for (const [index, { id, kind }] of some.entries()) if (answers[index]) yield { id, kind }
  }
}
