import { type Map as EngineMap, LngLat, type TransformConstrainFunction } from 'maplibre-gl'
import { unwrapped } from '#domain/geometry/box.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { latOfMercatorY, lngOfMercatorX, mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { confineCamera } from './confine-camera.ts'

// The only place that tracks the destination of the camera. A step starts at the end of the current flight, so quick
// steps add up.

type EngineCamera = { lng: number; lat: number; zoom: number }
type Size = { width: number; height: number }

/** The whole world. */
const worldPixels = (engineZoom: number) => 512 * 2 ** engineZoom

/** Pixels east and south of the center. */
type Offset = { x: number; y: number }
type Flight = { durationMs: number; easing?: (progress: number) => number }

export type CameraTarget = {
  flyTo(camera: EngineCamera): void
  jumpTo(camera: EngineCamera): void
  fitExtent(extent: Bounds, options: { padding: number; maxZoom: number }): void
  panBy(pixels: Offset, flight: Flight): void
  stepZoom(levels: number): void
  /** `around` stays in place on the screen. */
  zoomBy(levels: number, around: Offset, flight: Flight): void
  confine(limit: TransformConstrainFunction): void
}

const targets = new WeakMap<EngineMap, CameraTarget>()

export function cameraTarget(map: EngineMap): CameraTarget {
  const target = targets.get(map) ?? createTarget(map)
  targets.set(map, target)
  return target
}

/** Continues the movement of the flight that it replaces. */
const easeId = 'target'
const longFlight: Flight = { durationMs: 500 }
const zoomFlight: Flight = { durationMs: 150 }

function createTarget(map: EngineMap): CameraTarget {
  const view = (): Size => ({
    width: map.getContainer().clientWidth,
    height: map.getContainer().clientHeight,
  })
  let limit = confineCamera(null, () => view().height)
  let under: { target: EngineCamera; flight: Flight; number: number } | null = null
  let flights = 0
  const current = (): EngineCamera => {
    const { lng, lat } = map.getCenter()
    return { lng, lat, zoom: map.getZoom() }
  }
  const limited = ({ lng, lat, zoom }: EngineCamera): EngineCamera => {
    const within = limit(new LngLat(lng, lat), zoom)
    return { lng: within.center.lng, lat: within.center.lat, zoom: within.zoom }
  }
  const from = () => under?.target ?? current()

  function fly(to: EngineCamera, flight: Flight) {
    const target = limited(to)
    flights += 1
    under = { target, flight, number: flights }
    map.easeTo(
      {
        ...pathBetween(current(), target, view()),
        duration: flight.durationMs,
        ...(flight.easing ? { easing: flight.easing } : {}),
        easeId,
      },
      { number: flights },
    )
  }
  // Any other camera move, such as a drag, ends the flight. The end of a replaced flight does not.
  const forget = (event: object, isOver: (isOurs: boolean) => boolean) => {
    if (under && isOver('number' in event && event.number === under.number)) under = null
  }
  map.on('movestart', (event) => forget(event, (isOurs) => !isOurs))
  map.on('moveend', (event) => forget(event, (isOurs) => isOurs))
  // Opening details shrink the map; the current flight aims at the old center.
  map.on('resize', () => under && fly(under.target, under.flight))

  return {
    flyTo: (camera) => fly(camera, longFlight),
    jumpTo: ({ lng, lat, zoom }) => {
      map.jumpTo({ center: [lng, lat], zoom })
    },
    fitExtent(extent, options) {
      const { west, south, east, north } = unwrapped(extent)
      const fitting = map.cameraForBounds([west, south, east, north], options)
      if (!fitting?.center || fitting.zoom === undefined) return
      const { lng, lat } = LngLat.convert(fitting.center)
      fly({ lng, lat, zoom: fitting.zoom }, longFlight)
    },
    panBy(pixels, flight) {
      fly(movedBy(from(), pixels), flight)
    },
    stepZoom(levels) {
      const { zoom, ...place } = from()
      fly({ ...place, zoom: Math.round(zoom) + levels }, zoomFlight)
    },
    zoomBy(levels, around, flight) {
      const start = from()
      const { zoom } = limited({ ...start, zoom: start.zoom + levels })
      const fixed = movedBy(start, around)
      fly(movedBy({ ...fixed, zoom }, { x: -around.x, y: -around.y }), flight)
    },
    confine(next) {
      limit = next
      const before = map.getCenter()
      map.setTransformConstrain(next)
      const center = map.getCenter()
      // The engine fires no event for it.
      if (center.lat !== before.lat || center.lng !== before.lng) map.jumpTo({ center })
    },
  }
}

function movedBy({ lng, lat, zoom }: EngineCamera, { x, y }: Offset): EngineCamera {
  const pixels = worldPixels(zoom)
  return {
    lng: lngOfMercatorX(mercatorX(lng) + x / pixels),
    lat: latOfMercatorY(mercatorY(lat) + y / pixels),
    zoom,
  }
}

/** With `around`, the engine keeps that point fixed on the screen; otherwise it gets the destination. */
function pathBetween(start: EngineCamera, end: EngineCamera, view: Size) {
  const straight = { center: [end.lng, end.lat] as [number, number], zoom: end.zoom }
  const [startPixels, endPixels] = [worldPixels(start.zoom), worldPixels(end.zoom)]
  if (Math.abs(startPixels / endPixels - 1) < 1e-3) return straight
  const fixedAt = (from: number, to: number) =>
    (to * endPixels - from * startPixels) / (endPixels - startPixels)
  const [startX, startY] = [mercatorX(start.lng), mercatorY(start.lat)]
  const endX = mercatorX(end.lng)
  const x = fixedAt(startX, endX - Math.round(endX - startX))
  const y = fixedAt(startY, mercatorY(end.lat))
  const isInView =
    Math.abs(x - startX) * startPixels <= view.width / 2 &&
    Math.abs(y - startY) * startPixels <= view.height / 2
  if (!isInView || y < 0 || y > 1) return straight
  return { around: [lngOfMercatorX(x), latOfMercatorY(y)] as [number, number], zoom: end.zoom }
}
