import type { TileAddress } from '#domain/tiles/tile-address.ts'
import { FairQueue, type QueueClient } from '../database/fair-queue.ts'
import type { DatabaseLocation } from '../database/open-database.ts'
import { startThreads } from '../processes/threads.ts'
import type { TileFilter } from '../thinning/filter.ts'

/**
 * `etag` is a hash of the bytes; weak because the gzipped form shares it. The buffers have exactly the length
 * of their content, because thousands of tiles are cached.
 */
export type EncodedTile = { bytes: Uint8Array<ArrayBuffer>; gzipped: Uint8Array<ArrayBuffer>; etag: string }
export type TileRequest = {
  mapId: string
  tile: TileAddress
  filter: TileFilter
  position?: number | undefined
}

export type TilePool = {
  /** Rejects with a NotAnsweredError if no request waits any more, or too many do. */
  encode(client: QueueClient, tile: TileAddress, filter: TileFilter): Promise<EncodedTile>
  close(): Promise<void>
}

/**
 * A full tile allocates 20 MB of rows and points. In the default young generation of a thread (48 MB, of
 * which a third is filled at a time) they would be copied more than once.
 */
const maxYoungGenerationSizeMb = 192

/** A tile needs three queries at once; more would wait for a connection until they time out. */
export const tilesAtOnce = 3

export type TileLimits = {
  maxWaiting: number
  timeLimitMs: number
  workLimitMs: number
}

/** A browser requests tens of tiles at once: enough for two hundred users who all open new land. */
const usualLimits: TileLimits = { maxWaiting: 5_000, timeLimitMs: 30_000, workLimitMs: 10_000 }

/** Each thread has its own connections. Tiles wait here for a free one. `required` is that of the read replica. */
export function startTilePool(
  location: DatabaseLocation,
  workerCount: number,
  { workLimitMs, ...limits } = usualLimits,
  required: () => number | undefined = () => undefined,
): TilePool {
  // One map may use all threads; the additional place is for another.
  const turns = new FairQueue({ ...limits, atOnce: workerCount * tilesAtOnce + 1 })
  const file = new URL('./tile.worker.ts', import.meta.url)
  const threads = startThreads<TileRequest, EncodedTile>(file, workerCount, {
    workerData: location,
    resourceLimits: { maxYoungGenerationSizeMb },
    timeLimitMs: workLimitMs,
  })
  return {
    encode: (client, tile, filter) =>
      turns.take(client, () => threads.run({ mapId: client.mapId, tile, filter, position: required() })),
    close() {
      turns.close()
      return threads.close()
    },
  }
}
