import { loadMapWorker } from '#web/map/map-worker.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The largest part of the page. Preloaded before the data of the map arrives. */
export const MapView = lazyPart(async () => {
  const [{ MapView }] = await Promise.all([import('#web/map/map-view.tsx'), loadMapWorker()])
  return MapView
})
