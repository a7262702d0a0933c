import type { TileAddress } from '#domain/tiles/tile-address.ts'
import { type Asker, FairQueue } from '../database/fair-queue.ts'
import type { DatabaseLocation } from '../database/open-database.ts'
import { startThreads } from '../processes/threads.ts'
import type { TileFilter } from '../thinning/filter.ts'

/**
 * `etag` is a hash of the bytes; it is weak because the gzipped form carries the same one. The buffers are exactly as
 * long as what is in them: tiles are kept by the thousand.
 */
export type EncodedTile = { bytes: Uint8Array<ArrayBuffer>; gzipped: Uint8Array<ArrayBuffer>; etag: string }
export type TileRequest = { mapId: string; tile: TileAddress; filter: TileFilter }

export type TilePool = {
  /** Rejects with a NotAnsweredError where nobody waits any more, or too many do. */
  encode(asker: Asker, tile: TileAddress, filter: TileFilter): Promise<EncodedTile>
  close(): Promise<void>
}

/**
 * A full tile leaves behind 20 MB of rows and points. In the young generation that is usual for a thread (48 MB, of
 * which a third is filled at a time) they would be copied more than once before the tile is made.
 */
const maxYoungGenerationSizeMb = 192

/** Each tile asks three questions at once; more would wait for a connection until they are given up. */
export const tilesAtOnce = 3

export type TileLimits = {
  mostWaiting: number
  /** From the request to the answer. */
  timeLimitMs: number
  /** In a thread, which does nothing else while it computes. */
  workLimitMs: number
}

/** A browser asks for some tens of tiles at once: that is the whole view of two hundred people who all see new land. */
const usualLimits: TileLimits = { mostWaiting: 5_000, timeLimitMs: 30_000, workLimitMs: 10_000 }

/** Starts the threads that encode tiles, each with its own connections. What they cannot do yet waits here. */
export function startTilePool(
  location: DatabaseLocation,
  workerCount: number,
  { workLimitMs, ...limits } = usualLimits,
): TilePool {
  // One map may have all threads: the one more that is under way is of another.
  const turns = new FairQueue({ ...limits, atOnce: workerCount * tilesAtOnce + 1 })
  const file = new URL('./tile.worker.ts', import.meta.url)
  const threads = startThreads<TileRequest, EncodedTile>(file, workerCount, {
    workerData: location,
    resourceLimits: { maxYoungGenerationSizeMb },
    timeLimitMs: workLimitMs,
  })
  return {
    encode: (asker, tile, filter) =>
      turns.take(asker, () => threads.ask({ mapId: asker.mapId, tile, filter })),
    close() {
      turns.close()
      return threads.close()
    },
  }
}
