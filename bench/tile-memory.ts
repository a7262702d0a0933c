import { mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { maxTileZoom } from '#domain/thinning/tile-zooms.ts'
import type { TileAddress } from '#domain/tiles/tile-address.ts'
import { filledDatabase, maps, withServer } from './filled-database.ts'
import { centers } from './generate-features.ts'
import { residentMegabytes } from './idle-memory.ts'
import { type Row, rounded } from './row.ts'
import { tilePath } from './sample-tiles.ts'

const [columns, rowsOfTiles] = [200, 100]
const atOnce = 8

const restMs = 5_000

/**
 * 200 MB before any tile, 192 for the young generation of an encoding thread, 64 plus overhead for the cache, 100 for
 * garbage. With two buffers of 64 KB per tile it was 2,600 MB.
 */
const maxMegabytes = 600

/** Memory after 20,000 different tiles of the deepest zoom around a town; most are empty. */
export async function measureTileMemory(): Promise<Row[]> {
  const location = await filledDatabase('sqlite')
  return withServer(location, async ({ address, pid }) => {
    const tiles = tilesAroundATown()
    const before = residentMegabytes(pid)
    await askForAll(address, tiles)
    await new Promise((resolve) => setTimeout(resolve, restMs))
    return [
      {
        figure: 'memory after 20,000 different tiles',
        value: rounded(residentMegabytes(pid)),
        unit: 'MB',
        limit: maxMegabytes,
        note: `${rounded(before)} MB before`,
      },
    ]
  })
}

function tilesAroundATown(): TileAddress[] {
  const [{ lng, lat } = { lng: 0, lat: 0 }] = centers
  const tiles = 2 ** maxTileZoom
  const west = Math.floor(mercatorX(lng) * tiles) - columns / 2
  const north = Math.floor(mercatorY(lat) * tiles) - rowsOfTiles / 2
  return Array.from({ length: columns * rowsOfTiles }, (_, index) => ({
    z: maxTileZoom,
    x: west + (index % columns),
    y: north + Math.floor(index / columns),
  }))
}

async function askForAll(address: string, tiles: readonly TileAddress[]) {
  const waiting = tiles.values()
  const askInTurn = async () => {
    for (const tile of waiting) {
      const answer = await fetch(`${address}${tilePath(maps.tenth, tile)}`)
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${tilePath(maps.tenth, tile)}: ${answer.status}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, askInTurn))
}
