import { Worker } from 'node:worker_threads'
import type { DatabaseLocation } from '../database/database.ts'
import type { TileAddress } from './tile-address.ts'
import type { TileFilter } from './tile-filter.ts'

/** `etag` is a hash of the bytes; it is weak because the gzipped form carries the same one. */
export type EncodedTile = { bytes: Uint8Array; gzipped: Uint8Array; etag: string }
export type TileRequest = { number: number; mapId: string; tile: TileAddress; filter: TileFilter }
/** Errors cross the thread's border as message and code: a copied Error would lose its code. */
export type TileAnswer = { number: number } & (
  | { tile: EncodedTile }
  | { failure: { message: string; code: string | undefined } }
)

export type TilePool = {
  encode(mapId: string, tile: TileAddress, filter: TileFilter): Promise<EncodedTile>
  close(): Promise<void>
}

/** Starts the threads that encode tiles, each with its own connections. A thread that dies is replaced. */
export function startTilePool(location: DatabaseLocation, workerCount: number): TilePool {
  type Waiting = {
    request: TileRequest
    resolve: (tile: EncodedTile) => void
    reject: (error: unknown) => void
  }
  type Thread = { worker: Worker; waiting: Map<number, Waiting> }
  let requests = 0
  let isClosed = false
  const threads: Thread[] = Array.from({ length: workerCount }, startThread)

  function startThread(): Thread {
    const worker = new Worker(new URL('./tile.worker.ts', import.meta.url), { workerData: location })
    const thread: Thread = { worker, waiting: new Map() }
    worker.unref()
    worker.on('message', (answer: TileAnswer) => {
      const asked = thread.waiting.get(answer.number)
      thread.waiting.delete(answer.number)
      if ('tile' in answer) asked?.resolve(answer.tile)
      else asked?.reject(Object.assign(new Error(answer.failure.message), { code: answer.failure.code }))
    })
    let reason: unknown = new Error('a tile thread stopped')
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      for (const { reject } of thread.waiting.values()) reject(reason)
      if (!isClosed) threads[threads.indexOf(thread)] = startThread()
    })
    return thread
  }

  return {
    encode(mapId, tile, filter) {
      const thread = threads.reduce((least, other) =>
        other.waiting.size < least.waiting.size ? other : least,
      )
      const request: TileRequest = { number: ++requests, mapId, tile, filter }
      return new Promise((resolve, reject) => {
        thread.waiting.set(request.number, { request, resolve, reject })
        thread.worker.postMessage(request)
      })
    },
    async close() {
      isClosed = true
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}
