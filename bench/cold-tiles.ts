import { featureKinds } from '#domain/definition/kinds.ts'
import type { TileAddress } from '#domain/tiles/tile-address.ts'
import type { DatabaseLocation } from '#server/database/open-database.ts'
import { filledDatabase, maps, withServer } from './filled-database.ts'
import { percentile, type Row, rounded } from './row.ts'
import { sampleTiles, tilePath } from './sample-tiles.ts'
import { countText, largeCount } from './scale.ts'
import { timeUnthinnedTiles } from './unthinned-tiles.ts'

const share = { fullest: 5, others: 15 }
const limitsMs = { sqlite: 50, postgres: 60 }

/** Uncached tiles of a million features, requested one after the other. */
export async function measureColdTiles(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    const where = `${countText(largeCount)}, ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`
    try {
      const location = await filledDatabase(engine)
      rows.push(...(await coldTilesOf(location, { mapId: maps.large, where, limitMs: limitsMs[engine] })))
    } catch (error) {
      rows.push({ figure: `cold tile, p95 (${where})`, unit: 'ms', failed: (error as Error).message })
    }
  }
  return rows
}

type TileSample = { mapId: string; where: string; limitMs: number; hasPeer?: boolean }

export async function coldTilesOf(
  location: DatabaseLocation,
  { mapId, where, limitMs, hasPeer = true }: TileSample,
): Promise<Row[]> {
  const tiles = await sampleTiles(location, mapId, share)
  const times = await withServer(location, ({ address }) => timeTiles(address, mapId, tiles))
  const slowest = tiles[times.indexOf(Math.max(...times))]
  const rows: Row[] = [
    {
      figure: `cold tile, p95 (${where})`,
      value: rounded(percentile(times, 95), 1),
      unit: 'ms',
      limit: limitMs,
      note: `${tiles.length} tiles, each asked for once; slowest ${Math.max(...times).toFixed(0)} ms at ${slowest?.z}/${slowest?.x}/${slowest?.y}`,
    },
    { figure: `cold tile, median (${where})`, value: rounded(percentile(times, 50), 1), unit: 'ms' },
  ]
  if (location.databaseUrl && hasPeer)
    rows.push(...(await timeUnthinnedTiles(location.databaseUrl, { mapId, where, tiles })))
  return rows
}

async function timeTiles(address: string, mapId: string, tiles: readonly TileAddress[]) {
  // The same tiles of another map: warm code, cold data.
  for (const filter of ['', ...featureKinds.map((kind) => `?kind=${kind}`)])
    for (const tile of tiles) await timeTile(address, tilePath(maps.tenth, tile, filter))
  const times: number[] = []
  for (const tile of tiles) times.push(await timeTile(address, tilePath(mapId, tile)))
  return times
}

async function timeTile(address: string, path: string): Promise<number> {
  const start = performance.now()
  const answer = await fetch(`${address}${path}`)
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  return performance.now() - start
}
