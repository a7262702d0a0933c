import 'maplibre-gl/dist/maplibre-gl.css'
import {
  Map as EngineMap,
  type LayerSpecification,
  type SourceSpecification,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { featureSource } from '#web/map/map-style.ts'
import { drawPinsWhenNeeded } from '#web/map/pins.ts'
import { toEngineZoom } from '#web/map/zoom.ts'
import { baseMapUrl, center, complete, container, zoom } from './parameters.ts'

setWorkerUrl(workerUrl)

/** MapLibre over one source, and over a base map if there is one. */
export function showBareMap(source: SourceSpecification, layers: LayerSpecification[]) {
  const baseSource: SourceSpecification = {
    type: 'raster',
    tiles: [baseMapUrl ?? ''],
    tileSize: 256,
    maxzoom: 19,
  }
  // A fade would delay the first complete frame.
  const paint = { 'raster-fade-duration': 0 }
  const baseLayer: LayerSpecification = { id: 'base', type: 'raster', source: 'base', paint }
  const map = new EngineMap({
    container,
    center,
    zoom: toEngineZoom(zoom),
    style: {
      version: 8,
      sources: { [featureSource]: source, ...(baseMapUrl ? { base: baseSource } : {}) },
      layers: [...(baseMapUrl ? [baseLayer] : []), ...layers],
    },
    attributionControl: false,
    fadeDuration: 0,
  })
  map.on('idle', complete)
  if (baseMapUrl) map.once('idle', () => map.setPaintProperty('base', 'raster-fade-duration', undefined))
  drawPinsWhenNeeded(map)
  return map
}
