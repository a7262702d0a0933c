import lookUpZone from '@photostructure/tz-lookup'
import { middleLng } from '#domain/geometry/box.ts'
import { isTimeZone, localDay } from '#domain/values/time-zones.ts'
import { cachePerMap } from '../database/cache-per-map.ts'
import type { Database } from '../database/database.ts'
import { withoutStrays } from '../thinning/read-land.queries.ts'
import { readLandExtent } from '../thinning/read-totals.queries.ts'

/** The setting of the client, else the time zone at the middle of the land, else UTC. */
export async function readTimeZone(database: Database, mapId: string): Promise<string> {
  const row = await database.read
    .selectFrom('clients')
    .select('time_zone')
    .where('map_id', '=', mapId)
    .executeTakeFirst()
  return row?.time_zone ?? readZoneOfLand(database, mapId)
}

const readZoneOfLand = cachePerMap(async (database, mapId) => {
  const extent = await readLandExtent(database, mapId)
  if (!extent) return 'UTC'
  const land = await withoutStrays(database.read, mapId, extent)
  const zone = lookUpZone((land.south + land.north) / 2, middleLng(land))
  // The runtime may be older than the zone.
  return isTimeZone(zone) ? zone : 'UTC'
})

export const readToday = async (database: Database, mapId: string): Promise<string> =>
  localDay(Date.now(), await readTimeZone(database, mapId))
