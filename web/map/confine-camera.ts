import { LngLat, type TransformConstrainFunction } from 'maplibre-gl'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { latOfMercatorY, mercatorY } from '#domain/geometry/web-mercator.ts'
import { maxZoom, minZoom } from '#domain/map-configuration/map-constants.ts'
import { toEngineZoom } from './zoom.ts'

/** Pixels of the whole world at the engine's zoom 0. */
const worldPixels = 512

/**
 * The center of the view stays within the bounds. The engine's own rule keeps the whole view within them and
 * zooms in until it fits, which would override start zooms, and zoom 1 in a view that is higher than the world.
 */
export function confineCamera(bounds: Bounds | null, viewHeightOf: () => number): TransformConstrainFunction {
  return (center, zoom) => {
    const zoomWithin = between(zoom, toEngineZoom(minZoom), toEngineZoom(maxZoom))
    const lat = bounds ? between(center.lat, bounds.south, bounds.north) : center.lat
    const lng = bounds ? between(nearestTurn(center.lng, bounds), bounds.west, bounds.east) : center.lng
    const latWithin = withinWorld(lat, viewHeightOf() / (worldPixels * 2 ** zoomWithin))
    return { center: new LngLat(lng, latWithin), zoom: zoomWithin }
  }
}

function withinWorld(lat: number, viewHeight: number): number {
  const farthest = Math.min(1, Math.max(viewHeight / 2, 1 - viewHeight / 2))
  const y = mercatorY(lat)
  const within = between(y, 1 - farthest, farthest)
  return within === y ? lat : latOfMercatorY(within)
}

/** The same meridian, in the world copy closest to the bounds. */
function nearestTurn(lng: number, { west, east }: Bounds): number {
  return lng - 360 * Math.round((lng - (west + east) / 2) / 360)
}

const between = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))
