import { covers } from '#domain/geometry/covers.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { Database, WriteTransaction } from '../database/database.ts'

/** The parcel on which a place lies, of several the smallest; null on none. */
export async function readParcelAt(
  { dialect }: Pick<Database, 'dialect'>,
  transaction: WriteTransaction,
  mapId: string,
  { lat, lng }: LatLng,
): Promise<string | null> {
  const box = { west: lng, east: lng, south: lat, north: lat }
  const rows = await transaction
    .selectFrom('features')
    .select(['id', 'geometry'])
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .where('is_general', '=', 0)
    .where(dialect.intersects(mapId, box))
    .orderBy('size')
    .orderBy('id')
    .execute()
  return rows.find(({ geometry }) => covers(JSON.parse(geometry), [lng, lat]))?.id ?? null
}
