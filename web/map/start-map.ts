import 'maplibre-gl/dist/maplibre-gl.css'
import * as engine from 'maplibre-gl'
import { unwrapped } from '#domain/geometry/box.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import {
  type BaseMap,
  clickTolerancePixels,
  maxZoom,
  minZoom,
} from '#domain/map-configuration/map-constants.ts'
import type { TileServices } from '#domain/opening/opening.schema.ts'
import { markOnce } from '#web/ui/mark-once.ts'
import { baseMapParts } from './base-maps.ts'
import { confineCamera } from './confine-camera.ts'
import { drawTogetherAtFirst, keepTilesWhenImagesCome } from './first-picture.ts'
import { inertia } from './map-interaction.ts'
import {
  featureSource,
  featureTiles,
  layersOf,
  type MapStyle,
  restLayersOf,
  restSource,
} from './map-style.ts'
import { mapStyleOf } from './map-styles.ts'
import { workerUrl } from './map-worker.ts'
import { loadMatchTile, matchesProtocol } from './match-tiles.ts'
import { drawPinsWhenNeeded } from './pins.ts'
import { toEngineZoom } from './zoom.ts'

// The initial style contains everything, so that all requests start at once.

engine.setWorkerUrl(workerUrl)
// Loads all base map tiles in view at once: queued requests wait for the next frame.
engine.setMaxParallelImageRequests(64)
engine.addProtocol(matchesProtocol, loadMatchTile)

/** Zooms are those of the specification. */
export type MapOpening = {
  /** Moves out to contain `whole`, if that is not in view. */
  camera: { zoom: number; lat: number; lng: number; whole?: Bounds | undefined }
  bounds: Bounds | null
  baseMap: BaseMap
  tileServices: TileServices
  isDark: boolean
  styleName: MapStyle['name']
  tiles: string
  /** Tiles without the filter, while one is on. */
  rest: string | null
  isVisible: Readonly<Record<string, boolean>>
}

/**
 * Everything but data is placed below named layers. The page paints the background: a layer for it would be
 * painted in every frame.
 */
function styleOf(opening: MapOpening): engine.StyleSpecification {
  const { tiles, rest, isVisible } = opening
  const style = mapStyleOf(opening)
  const mark = (id: string): engine.BackgroundLayerSpecification => ({
    id,
    type: 'background',
    layout: { visibility: 'none' },
  })
  const baseMaps = baseMapParts({ ...opening, attempt: 0 })
  return {
    version: 8,
    sources: {
      ...Object.fromEntries(baseMaps.map(({ id, source }) => [id, source])),
      ...(rest !== null && { [restSource]: featureTiles(rest) }),
      [featureSource]: featureTiles(tiles),
    },
    layers: [
      mark('ground-end'),
      mark('base-start'),
      ...baseMaps.map(({ layer }) => ({ ...layer, paint: { ...layer.paint, ...noFade } })),
      mark('data-start'),
      ...(rest === null ? [] : restLayersOf(style, isVisible)),
      mark('matches-start'),
      ...layersOf(style, isVisible),
    ],
  }
}

/** Pixels. */
export const landMargin = 40

const tileFadeMs = 300

/** Pins fade in and out when they collide. */
const pinFadeMs = 150
const prefersReducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

const canvasName = { 'Map.Title': 'Map surface: arrow keys pan, plus and minus zoom' }

const styled = new WeakMap<engine.Map, Promise<void>>()
const firstErrors = new WeakMap<engine.Map, { taken: engine.ErrorEvent[]; stop(): void }>()

function showWhole(map: engine.Map, whole: Bounds) {
  const { west, south, east, north } = unwrapped(whole)
  const box = new engine.LngLatBounds([west, south, east, north])
  const view = map.getBounds()
  if (view.contains(box.getSouthWest()) && view.contains(box.getNorthEast())) return
  const fitting = map.cameraForBounds(box, { padding: landMargin, maxZoom: map.getZoom() })
  if (fitting) map.jumpTo(fitting)
}

function startMap(container: HTMLElement, opening: MapOpening): engine.Map {
  const { camera, bounds } = opening
  const map = new engine.Map({
    container,
    style: styleOf(opening),
    center: [camera.lng, camera.lat],
    zoom: toEngineZoom(camera.zoom),
    transformConstrain: confineCamera(bounds, () => container.clientHeight),
    minZoom: toEngineZoom(minZoom),
    maxZoom: toEngineZoom(maxZoom),
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    scrollZoom: false,
    dragPan: inertia,
    clickTolerance: clickTolerancePixels,
    attributionControl: false,
    locale: canvasName,
    fadeDuration: 0,
  })
  if (camera.whole) showWhole(map, camera.whole)
  drawTogetherAtFirst(map)
  keepTilesWhenImagesCome(map)
  map.touchZoomRotate.disableRotation()
  map.keyboard.disable()
  drawPinsWhenNeeded(map)
  styled.set(map, new Promise((resolve) => void map.once('style.load', () => resolve())))
  map.once('idle', () => {
    markOnce('map-complete')
    if (!prefersReducedMotion()) fadeFromNowOn(map)
  })
  const taken: engine.ErrorEvent[] = []
  const keep = (error: engine.ErrorEvent) => void taken.push(error)
  map.on('error', keep)
  firstErrors.set(map, { taken, stop: () => map.off('error', keep) })
  return map
}

const noFade = { 'raster-fade-duration': 0 }

function fadeFromNowOn(map: engine.Map) {
  map._fadeDuration = pinFadeMs
  for (const { id, type } of map.getStyle().layers)
    if (type === 'raster') map.setPaintProperty(id, 'raster-fade-duration', tileFadeMs)
}

type FirstMap = { map: engine.Map; container: HTMLElement; opening: string }
let first: FirstMap | null = null

export function startFirstMap(container: HTMLElement, opening: MapOpening): void {
  first = { map: startMap(container, opening), container, opening: JSON.stringify(opening) }
}

export function openMap(container: HTMLElement, opening: MapOpening): engine.Map {
  const started = first
  first = null
  if (started?.opening === JSON.stringify(opening)) {
    // It was below everything, where the page appears.
    Object.assign(started.container.style, { inset: '0', zIndex: 'auto', colorScheme: '' })
    started.container.dataset.firstMap = 'shown'
    container.append(started.container)
    return started.map
  }
  started?.map.remove()
  started?.container.remove()
  return startMap(container, opening)
}

export const whenStyled = async (map: engine.Map) => styled.get(map)

export function takeFirstErrors(map: engine.Map): engine.ErrorEvent[] {
  const errors = firstErrors.get(map)
  errors?.stop()
  return errors?.taken.splice(0) ?? []
}
