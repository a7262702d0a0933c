import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { onEachEngine } from '#test/databases.ts'
import { anAsset, storeFeatures, storeMap } from '#test/feature-builders.ts'
import { startTilePool } from './tile-pool.ts'

onEachEngine('a tile from its thread', (createDatabase) => {
  it('takes no more memory than it has bytes', async () => {
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
})
