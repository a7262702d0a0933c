import { sql } from 'kysely'
import { mortonBits } from '#domain/tiles/morton.ts'
import { maxTileZoom } from '#domain/tiles/tile-zooms.ts'
import { type DatabaseLocation, openDatabase } from '#server/database/database.ts'
import type { TileAddress } from '#server/tiles/tile-address.ts'

// Which tiles are asked for: the fullest of each zoom, and others at equal steps from full to nearly empty, so that
// every run asks for the same.

/** How many of the fullest tiles, and how many of the others, at each zoom. */
type Share = { fullest: number; others: number }

/** Tiles of all zooms that have a feature's centre on them. */
export async function sampleTiles(
  location: DatabaseLocation,
  mapId: string,
  { fullest, others }: Share,
): Promise<TileAddress[]> {
  const database = await openDatabase(location)
  try {
    const tiles: TileAddress[] = []
    for (let z = 0; z <= maxTileZoom; z++) {
      const codes = 4 ** (mortonBits - z)
      const { rows } = await sql<{ tile: number }>`
        select tile from (
          select morton / ${sql.lit(codes)} as tile, count(*) as features
          from features where map_id = ${mapId} group by morton / ${sql.lit(codes)}
        ) as full_tiles order by features desc, tile`.execute(database.read)
      const all = rows.map(({ tile }) => tileOf(z, Number(tile)))
      const rest = all.slice(fullest)
      const step = Math.max(1, rest.length / others)
      const spread = Array.from(
        { length: Math.min(others, rest.length) },
        (_, index) => rest[Math.floor(index * step)] as TileAddress,
      )
      tiles.push(...all.slice(0, fullest), ...spread)
    }
    return tiles
  } finally {
    await database.close()
  }
}

/** From the number of a tile along the Morton curve. */
function tileOf(z: number, number: number): TileAddress {
  let [x, y] = [0, 0]
  for (let bit = 0; bit < z; bit++) {
    const pair = Math.floor(number / 4 ** bit) % 4
    x += (pair & 1) << bit
    y += (pair >> 1) << bit
  }
  return { z, x, y }
}

export const tilePath = (mapId: string, { z, x, y }: TileAddress, query = '') =>
  `/api/maps/${mapId}/tiles/${z}/${x}/${y}.mvt${query}`
