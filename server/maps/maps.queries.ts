import { sql } from 'kysely'
import type { MapSummary } from '#domain/clients/client.schema.ts'
import { defaultClientId, sampleMapId } from '#domain/clients/reserved-maps.ts'
import type { Box } from '#domain/geometry/box.ts'
import { lockMap, readClientOfMap } from '../clients/client-rows.queries.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import { NotFoundError } from '../domain-error.ts'
import { withoutStrays } from '../thinning/read-land.queries.ts'
import { readCounts, readLandExtent, sumCounts } from '../thinning/read-totals.queries.ts'
import { readTimeZone } from './time-zone.queries.ts'

export function requireOpenMap({ read }: Database, mapId: string): Promise<void> {
  return requireOpenMapIn(read, mapId)
}

/** Whether the map of the association is not archived. */
export async function isOpenMap(database: Database, mapId: string): Promise<boolean> {
  try {
    await requireOpenMap(database, mapId)
    return true
  } catch (error) {
    if (error instanceof NotFoundError) return false
    throw error
  }
}

export async function lockOpenMap(
  database: Database,
  transaction: WriteTransaction,
  mapId: string,
): Promise<void> {
  await lockMap(database, transaction, mapId)
  await requireOpenMapIn(transaction, mapId)
}

export async function requireOpenMapIn(database: ReadDatabase, mapId: string): Promise<void> {
  // Runs before every tile: raw SQL avoids the cost of the query builder.
  const { rows } = await sql<{ archived_at: number | null }>`
    select clients.archived_at from maps left join clients on clients.map_id = maps.map_id
    where maps.map_id = ${mapId}`.execute(database)
  const [map] = rows
  if (!map || map.archived_at !== null) throw new NotFoundError(`There is no map ${mapId}.`)
}

export async function readMapIds({ read }: Database): Promise<string[]> {
  const rows = await read.selectFrom('maps').select('map_id').orderBy('map_id').execute()
  return rows.map((row) => row.map_id)
}

export async function readMapSummary(database: Database, mapId: string): Promise<MapSummary> {
  const { read } = database
  const [timeZone, client, extent, firstParcel, counts] = await Promise.all([
    readTimeZone(database, mapId),
    readClientOfMap(read, mapId),
    readHome(database, mapId),
    read
      .selectFrom('features')
      .select(['lng', 'lat'])
      .where('map_id', '=', mapId)
      .where('kind', '=', 'parcel')
      // The order of lists, which has an index.
      .orderBy('date_order')
      .orderBy('name_order')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
    readCounts(read, mapId, {}),
  ])
  const { byKind } = sumCounts(counts)
  return {
    id: mapId,
    timeZone,
    client: client ?? null,
    extent,
    firstParcel: firstParcel ?? null,
    counts: byKind,
  }
}

async function readHome(database: Database, mapId: string): Promise<Box | null> {
  const extent = await readLandExtent(database, mapId)
  return extent && withoutStrays(database.read, mapId, extent)
}

/**
 * The default map: the setting, else the sample association at the specification's default center, else the first
 * unarchived client by name, else the sample; null for an empty database.
 */
export async function readDefaultMapId(
  database: Database,
  configuredId: string | undefined,
): Promise<string | null> {
  if (configuredId !== undefined) return configuredId
  const { read } = database
  const clients = read.selectFrom('clients').select('map_id').where('archived_at', 'is', null).limit(1)
  const seeded = clients.where('map_id', '=', defaultClientId).where('is_sample', '=', 1)
  const byName = clients.orderBy('list_order').orderBy('map_id')
  const first = (await seeded.executeTakeFirst()) ?? (await byName.executeTakeFirst())
  if (first) return first.map_id
  const sample = await read
    .selectFrom('maps')
    .select('map_id')
    .where('map_id', '=', sampleMapId)
    .executeTakeFirst()
  return sample?.map_id ?? null
}
