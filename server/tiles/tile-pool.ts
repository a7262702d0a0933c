import type { DatabaseLocation } from '../database/database.ts'
import { startThreads } from '../threads.ts'
import type { TileAddress } from './tile-address.ts'
import type { TileFilter } from './tile-filter.ts'

/**
 * `etag` is a hash of the bytes; it is weak because the gzipped form carries the same one. The buffers are exactly as
 * long as what is in them: tiles are kept by the thousand.
 */
export type EncodedTile = { bytes: Uint8Array<ArrayBuffer>; gzipped: Uint8Array<ArrayBuffer>; etag: string }
export type TileRequest = { mapId: string; tile: TileAddress; filter: TileFilter }

export type TilePool = {
  encode(mapId: string, tile: TileAddress, filter: TileFilter): Promise<EncodedTile>
  close(): Promise<void>
}

/**
 * A full tile leaves behind 20 MB of rows and points. In the young generation that is usual for a thread (48 MB, of
 * which a third is filled at a time) they would be copied more than once before the tile is made.
 */
const maxYoungGenerationSizeMb = 192

/** Starts the threads that encode tiles, each with its own connections. */
export function startTilePool(location: DatabaseLocation, workerCount: number): TilePool {
  const file = new URL('./tile.worker.ts', import.meta.url)
  const threads = startThreads<TileRequest, EncodedTile>(file, workerCount, {
    workerData: location,
    resourceLimits: { maxYoungGenerationSizeMb },
  })
  return {
    encode: (mapId, tile, filter) => threads.ask({ mapId, tile, filter }),
    close: () => threads.close(),
  }
}
