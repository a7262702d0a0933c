import 'maplibre-gl/dist/maplibre-gl.css'
import {
  Map as EngineMap,
  type LayerSpecification,
  type SourceSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { featureSource, pinsFrom } from '#web/map/look.ts'
import { addPinImages } from '#web/map/pins.ts'
import { toEngineZoom } from '#web/map/zoom.ts'
import { center, complete, container, zoom } from './question.ts'

setWorkerUrl(workerUrl)

/** MapLibre and nothing else, over one source. */
export async function showBareMap(source: SourceSpecification, layers: LayerSpecification[]) {
  const map = new EngineMap({
    container,
    center,
    zoom: toEngineZoom(zoom),
    style: { version: 8, sources: { [featureSource]: source }, layers },
    attributionControl: false,
    // What fades in is complete later.
    fadeDuration: 0,
  })
  map.on('idle', complete)
  // Farther away nothing is drawn with an image.
  if (toEngineZoom(zoom) >= pinsFrom) await addPinImages(map)
  return map
}
