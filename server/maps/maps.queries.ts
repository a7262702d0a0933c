import type { MapSummary } from '#domain/clients/client.schema.ts'
import { defaultClientLocation, sampleMapId } from '#domain/clients/reserved-maps.ts'
import { readClient } from '../clients/clients.queries.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import { notFound } from '../http/problem.ts'
import { readCounts, sumCounts } from '../ranks/counts.queries.ts'
import { readExtent } from '../ranks/extents.queries.ts'

/** Throws a 404 unless the map exists and its client is not archived. */
export function requireOpenMap({ read }: Database, mapId: string): Promise<void> {
  return requireOpenMapIn(read, mapId)
}

/** For who changes what belongs to a map as a whole: changes take turns from here on. Throws like `requireOpenMap`. */
export async function holdOpenMap(
  { dialect }: Database,
  transaction: WriteTransaction,
  mapId: string,
): Promise<void> {
  await dialect.hold(transaction.selectFrom('maps').select('map_id').where('map_id', '=', mapId)).execute()
  await requireOpenMapIn(transaction, mapId)
}

/** The same inside a transaction. */
export async function requireOpenMapIn(database: ReadDatabase, mapId: string): Promise<void> {
  const map = await database
    .selectFrom('maps')
    .leftJoin('clients', 'clients.map_id', 'maps.map_id')
    .select(['maps.map_id', 'clients.archived_at'])
    .where('maps.map_id', '=', mapId)
    .executeTakeFirst()
  if (!map || map.archived_at !== null) throw notFound(`There is no map ${mapId}.`)
}

export async function readMapSummary(database: Database, mapId: string): Promise<MapSummary> {
  const { read } = database
  const [client, extent, firstParcel, counts] = await Promise.all([
    readClient(database, mapId),
    readExtent(read, mapId),
    read
      .selectFrom('features')
      .select(['lng', 'lat'])
      .where('map_id', '=', mapId)
      .where('kind', '=', 'parcel')
      .orderBy('list_order')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
    readCounts(read, mapId, {}),
  ])
  const { byKind } = sumCounts(counts)
  return {
    id: mapId,
    client: client ?? null,
    extent: extent ?? null,
    firstParcel: firstParcel ?? null,
    counts: byKind,
  }
}

/**
 * The map that opens where the address names none: the setting, else the seeded client at the specification's
 * default centre, else the first unarchived client by name, else the sample; null on an empty database.
 */
export async function readDefaultMapId(
  { read }: Database,
  configuredId: string | undefined,
): Promise<string | null> {
  if (configuredId !== undefined) return configuredId
  const { lat, lng } = defaultClientLocation
  const reach = 0.2
  const atDefault = await read
    .selectFrom('clients')
    // Elsewhere are most maps, and nobody looks for a parcel among a million of theirs.
    .innerJoin('map_extents', 'map_extents.map_id', 'clients.map_id')
    .select('clients.map_id')
    .where('clients.archived_at', 'is', null)
    .where('map_extents.south', '<', lat + reach)
    .where('map_extents.north', '>', lat - reach)
    .where('map_extents.west', '<', lng + reach)
    .where('map_extents.east', '>', lng - reach)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('features')
          .select('features.id')
          .whereRef('features.map_id', '=', 'clients.map_id')
          .where('features.kind', '=', 'parcel')
          .where('features.lat', '>', lat - reach)
          .where('features.lat', '<', lat + reach)
          .where('features.lng', '>', lng - reach)
          .where('features.lng', '<', lng + reach),
      ),
    )
    .orderBy('clients.list_order')
    .limit(1)
    .executeTakeFirst()
  if (atDefault) return atDefault.map_id
  const first = await read
    .selectFrom('clients')
    .select('map_id')
    .where('archived_at', 'is', null)
    .orderBy('list_order')
    .orderBy('map_id')
    .limit(1)
    .executeTakeFirst()
  if (first) return first.map_id
  const sample = await read
    .selectFrom('maps')
    .select('map_id')
    .where('map_id', '=', sampleMapId)
    .executeTakeFirst()
  return sample?.map_id ?? null
}
