import { createHash } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { type DatabaseLocation, openDatabase } from '../database/open-database.ts'
import { runTasks } from '../processes/threads.ts'
import { encodeTile } from './encode-tile.ts'
import { type EncodedTile, type TileRequest, tilesAtOnce } from './tile-pool.ts'

const database = await openDatabase(workerData as DatabaseLocation)

runTasks<TileRequest, EncodedTile>(
  tilesAtOnce,
  async ({ mapId, tile, filter, position }) => {
    const encode = () => encodeTile(database, mapId, tile, filter)
    if (position !== undefined) database.replica?.require(position)
    const encoded = await (database.replica?.read(encode) ?? encode())
    // Ten percent larger than at the default level, in half the time.
    const gzipped = gzipSync(encoded, { level: 3 })
    const etag = `W/"${createHash('sha256').update(encoded).digest('base64url').slice(0, 22)}"`
    return { bytes: exactCopy(encoded), gzipped: exactCopy(gzipped), etag }
  },
  ({ bytes, gzipped }) => [bytes.buffer, gzipped.buffer],
)

/** A view would keep its large buffer for as long as the tile is cached. */
function exactCopy(view: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(view)
}
