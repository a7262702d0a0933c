import { makeTile } from '#domain/tiles/make-tile.ts'
import type { TileAddress } from '#domain/tiles/tile-address.ts'
import type { Database } from '../database/database.ts'
import type { TileFilter } from '../thinning/filter.ts'
import {
  countCoLocated,
  readTileGeometries,
  readTileIncidents,
  readTileRepresentatives,
} from '../thinning/read-tile.queries.ts'

export function encodeTile(
  database: Database,
  mapId: string,
  tile: TileAddress,
  filter: TileFilter,
): Promise<Uint8Array> {
  return makeTile(
    {
      representatives: (tile) => readTileRepresentatives(database, mapId, tile, filter),
      incidents: (tile, reach) => readTileIncidents(database, mapId, tile, reach, filter),
      geometries: (tile, wanted) => readTileGeometries(database, mapId, tile, wanted, filter),
      countsAt: (places) => countCoLocated(database, mapId, filter, places),
    },
    tile,
  )
}
