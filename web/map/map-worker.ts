import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { getFile } from '#web/api/http.ts'
import { ChunkError, loadChunk } from '#web/ui/load-chunk.ts'

export { workerUrl }

/**
 * Preloads the script of the engine's workers: a worker whose script fails to load fires no error, and every
 * later map would wait forever.
 */
export function loadMapWorker(): Promise<void> {
  return loadChunk(() =>
    getFile(workerUrl).catch((error: unknown) => {
      throw new ChunkError(error)
    }),
  )
}
