import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { getFile } from '#web/api/http.ts'
import { ChunkError, loadChunk } from '#web/ui/load-chunk.ts'

export { workerUrl }

/**
 * Has the program of the engine's workers at hand before a map begins: a worker that does not come says nothing, and every
 * map after it would wait for ever.
 */
export function loadMapWorker(): Promise<void> {
  return loadChunk(() =>
    getFile(workerUrl).catch((error: unknown) => {
      throw new ChunkError(error)
    }),
  )
}
