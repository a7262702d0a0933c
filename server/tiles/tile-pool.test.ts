import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { startTilePool, type TileRequest } from './tile-pool.ts'

onEachEngine('a tile of the pool', (createDatabase) => {
  it('uses no more memory than its bytes', async () => {
    const database = await createDatabase()
    await storeMap(database, 'oak-hills')
    await storeFeatures(database, [anAsset()])
    const pool = startTilePool(database.location, 1)
    onTestFinished(() => pool.close())
    const { signal } = new AbortController()
    for (const tile of [
      { z: 0, x: 0, y: 0 },
      { z: 17, x: 0, y: 0 },
    ]) {
      const { bytes, gzipped } = await pool.encode({ mapId: 'oak-hills', signal }, tile, {
        kinds: [],
        types: [],
        since: undefined,
      })
      expect(bytes.buffer.byteLength).toBe(bytes.length)
      expect(gzipped.buffer.byteLength).toBe(gzipped.length)
      expect(gunzipSync(gzipped).equals(bytes)).toBe(true)
    }
  })

  it('fails after ten seconds: its thread is replaced, and serves another map', async () => {
    const database = await createDatabase()
    for (const mapId of ['oak-hills', 'elm-hills']) await storeMap(database, mapId)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const pool = startTilePool(database.location, 1)
    onTestFinished(() => pool.close())
    const { signal } = new AbortController()
    const encode = (mapId: string) =>
      pool.encode({ mapId, signal }, { z: 0, x: 0, y: 0 }, { kinds: [], types: [], since: undefined })
    const late = expect(encode('oak-hills')).rejects.toMatchObject({ kind: 'busy', reason: 'too long' })
    await vi.advanceTimersByTimeAsync(5_000)
    const other = encode('elm-hills')
    await vi.advanceTimersByTimeAsync(5_000)
    await late
    expect(await other).toMatchObject({ etag: expect.any(String) })
  })

  it('is transferred without a copy in the thread', async () => {
    const database = await createDatabase()
    await storeMap(database, 'oak-hills')
    await storeFeatures(database, [anAsset()])
    // A message posted after the answer proves that the thread still has its buffers.
    const file = new URL('./tile.worker.ts', import.meta.url)
    const source = `
      const { parentPort } = require('node:worker_threads')
      const post = parentPort.postMessage.bind(parentPort)
      parentPort.postMessage = (message, handedOver) => {
        post(message, handedOver)
        const { bytes, gzipped } = message.answer
        post([bytes, gzipped].map(({ buffer }) => ({ isGone: buffer.detached })))
      }
      import(${JSON.stringify(file.href)})`
    const worker = new Worker(source, { eval: true, workerData: database.location })
    onTestFinished(async () => {
      await worker.terminate()
    })
    const messages: unknown[] = []
    worker.on('message', (message) => messages.push(message))
    const request: TileRequest = {
      mapId: 'oak-hills',
      tile: { z: 0, x: 0, y: 0 },
      filter: { kinds: [], types: [], since: undefined },
    }
    worker.postMessage({ number: 1, task: request })
    while (messages.length < 2) await once(worker, 'message')
    expect(messages).toEqual([
      { number: 1, answer: expect.objectContaining({ bytes: expect.any(Uint8Array) }) },
      [{ isGone: true }, { isGone: true }],
    ])
  })
})
