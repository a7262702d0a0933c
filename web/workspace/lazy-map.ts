import { loadMapWorker } from '#web/map/map-worker.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The map and its engine: by far the largest part, asked for before it is known what it shows. */
export const MapView = lazyPart(async () => {
  const [{ MapView }] = await Promise.all([import('#web/map/map-view.tsx'), loadMapWorker()])
  return MapView
})
