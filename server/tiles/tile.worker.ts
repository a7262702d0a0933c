import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { type DatabaseLocation, openDatabase } from '../database/database.ts'
import { encodeTile } from './encode-tile.ts'
import type { TileAnswer, TileRequest } from './tile-pool.ts'

// Encoding a full tile takes tens of milliseconds: it happens here, beside the thread that answers requests.

/** Each tile asks three questions at once; more would wait for a connection until they are given up. */
const tilesAtOnce = 3

const database = await openDatabase(workerData as DatabaseLocation)
const waiting: TileRequest[] = []
let underWay = 0

parentPort?.on('message', (request: TileRequest) => {
  waiting.push(request)
  void work()
})

async function work() {
  if (underWay >= tilesAtOnce) return
  underWay++
  for (let next = waiting.shift(); next; next = waiting.shift()) parentPort?.postMessage(await answer(next))
  underWay--
}

async function answer({ number, mapId, tile, filter }: TileRequest): Promise<TileAnswer> {
  try {
    const bytes = await encodeTile(database, mapId, tile, filter)
    // A tenth larger than at the usual level, in half the time.
    const gzipped = gzipSync(bytes, { level: 3 })
    const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    return { number, tile: { bytes, gzipped, etag } }
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    return { number, failure: { message, code } }
  }
}
