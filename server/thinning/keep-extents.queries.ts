import { sql } from 'kysely'
import type { Extent, WriteTransaction } from '../database/database.ts'
import { readExtent } from './read-totals.queries.ts'

// The stored extent of a map, so that opening a map never reads all features.

export async function widenExtent(transaction: WriteTransaction, mapId: string, extent: Extent) {
  const { west, south, east, north } = extent
  await sql`
    insert into map_extents (map_id, west, south, east, north)
    values (${mapId}, ${west}, ${south}, ${east}, ${north})
    on conflict (map_id) do update set
      west = case when excluded.west < map_extents.west then excluded.west else map_extents.west end,
      south = case when excluded.south < map_extents.south then excluded.south else map_extents.south end,
      east = case when excluded.east > map_extents.east then excluded.east else map_extents.east end,
      north = case when excluded.north > map_extents.north then excluded.north else map_extents.north end`.execute(
    transaction,
  )
}

export async function narrowExtent(transaction: WriteTransaction, mapId: string, removed: Extent) {
  const stored = await readExtent(transaction, mapId)
  if (!stored) return
  const { west, south, east, north } = stored
  if (removed.west > west && removed.south > south && removed.east < east && removed.north < north) return
  await measureExtent(transaction, mapId)
}

export async function measureExtent(transaction: WriteTransaction, mapId: string) {
  await transaction.deleteFrom('map_extents').where('map_id', '=', mapId).execute()
  await sql`
    insert into map_extents (map_id, west, south, east, north)
    select map_id, min(west), min(south), max(east), max(north) from features
    where map_id = ${mapId} group by map_id`.execute(transaction)
}
