import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The map and its engine: by far the largest part, asked for before it is known what it shows. */
export const MapView = lazyPart(() => import('#web/map/map-view.tsx').then((module) => module.MapView))
