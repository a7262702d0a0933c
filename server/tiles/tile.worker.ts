import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { type DatabaseLocation, openDatabase } from '../database/database.ts'
import { encodeTile } from './encode-tile.ts'
import type { TileAnswer, TileRequest } from './tile-pool.ts'

// Encoding a full tile takes tens of milliseconds: it happens here, beside the thread that answers requests.

const database = await openDatabase(workerData as DatabaseLocation)

parentPort?.on('message', async (request: TileRequest) => {
  try {
    const bytes = await encodeTile(database, request.mapId, request.tile, request.filter)
    const answer: TileAnswer = {
      number: request.number,
      tile: {
        bytes,
        gzipped: gzipSync(bytes, { level: 6 }),
        etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      },
    }
    parentPort?.postMessage(answer)
  } catch (error) {
    const { message, code } = error as { message: string; code?: string }
    parentPort?.postMessage({ number: request.number, failure: { message, code } } satisfies TileAnswer)
  }
})
