import { sql } from 'kysely'
import { mortonBits } from '#domain/thinning/morton.ts'
import { maxTileZoom } from '#domain/thinning/tile-zooms.ts'
import type { TileAddress } from '#domain/tiles/tile-address.ts'
import { type DatabaseLocation, openDatabase } from '#server/database/open-database.ts'

// The sampled tiles of each zoom: the fullest, and others at equal steps from full to nearly empty. The same in every
// run.

type Share = { fullest: number; others: number }

export async function sampleTiles(
  location: DatabaseLocation,
  mapId: string,
  { fullest, others }: Share,
): Promise<TileAddress[]> {
  let features = await countByDeepestTile(location, mapId)
  const tiles: TileAddress[] = []
  for (let z = maxTileZoom; z >= 0; z--) {
    const all = [...features]
      .sort(([tile, count], [otherTile, otherCount]) => otherCount - count || tile - otherTile)
      .map(([tile]) => tileOf(z, tile))
    const rest = all.slice(fullest)
    const step = Math.max(1, rest.length / others)
    const spread = Array.from(
      { length: Math.min(others, rest.length) },
      (_, index) => rest[Math.floor(index * step)] as TileAddress,
    )
    tiles.push(...all.slice(0, fullest), ...spread)
    features = countByParent(features)
  }
  return tiles.toReversed()
}

/** By tile number along the Morton curve; all zooms follow from one pass over the rows. */
type Counts = Map<number, number>

async function countByDeepestTile(location: DatabaseLocation, mapId: string): Promise<Counts> {
  const database = await openDatabase(location)
  try {
    const codes = sql.lit(4 ** (mortonBits - maxTileZoom))
    const { rows } = await sql<{ tile: number; count: number }>`
      select morton / ${codes} as tile, count(*) as count from features where map_id = ${mapId} group by 1
    `.execute(database.read)
    return new Map(rows.map(({ tile, count }) => [Number(tile), Number(count)]))
  } finally {
    await database.close()
  }
}

function countByParent(counts: Counts): Counts {
  const parents: Counts = new Map()
  for (const [tile, count] of counts) {
    const parent = Math.floor(tile / 4)
    parents.set(parent, (parents.get(parent) ?? 0) + count)
  }
  return parents
}

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
