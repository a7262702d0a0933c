import { covers } from '#domain/geometry/covers.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { Database, Extent, ReadDatabase } from '../database/database.ts'

type Parcel = { id: string; name: string; geometry: string }

/** The parcels of a map whose extent touches a box, the smallest first. */
export function readParcelsIn(
  { dialect }: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
  box: Extent,
): Promise<Parcel[]> {
  return read
    .selectFrom('features')
    .select(['id', 'name', 'geometry'])
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .where('is_general', '=', 0)
    .where(dialect.intersects(mapId, box))
    .orderBy('size')
    .orderBy('id')
    .execute()
}

/** How many parcels `readParcelsIn` reads, and how long their geometries are. */
export async function measureParcelsIn(
  { dialect }: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
  box: Extent,
): Promise<{ count: number; characters: number }> {
  const { count, characters } = await read
    .selectFrom('features')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>(fn<number>('length', ['geometry'])).as('characters'),
    ])
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .where('is_general', '=', 0)
    .where(dialect.intersects(mapId, box))
    .executeTakeFirstOrThrow()
  return { count: Number(count), characters: Number(characters ?? 0) }
}

/** The parcel on which a place lies, of several the smallest; null on none. */
export async function readParcelAt(
  database: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
  { lat, lng }: LatLng,
): Promise<Parcel | null> {
  const around = await readParcelsIn(database, read, mapId, { west: lng, east: lng, south: lat, north: lat })
  return around.find(({ geometry }) => covers(JSON.parse(geometry), [lng, lat])) ?? null
}

/** Incidents and assets whose extent touches a box, at most so many. */
export function readPlacedIn(
  { dialect }: Pick<Database, 'dialect'>,
  read: ReadDatabase,
  mapId: string,
  box: Extent,
  limit: number,
) {
  return read
    .selectFrom('features')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('kind', 'in', ['incident', 'asset'])
    .where('is_general', '=', 0)
    .where(dialect.intersects(mapId, box))
    .orderBy('id')
    .limit(limit)
    .execute()
}
