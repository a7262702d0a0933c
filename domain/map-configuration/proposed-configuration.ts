import { middleLng, unwrapped } from '#domain/geometry/box.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { latOfMercatorY, mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { defaultMapConfiguration, type MapConfiguration } from './map-configuration.schema.ts'
import { closestLandZoom, minZoom } from './map-constants.ts'

/** In pixels: what the smallest screens that we support show of a map at once. */
const smallestView = { width: 360, height: 400 }

/** Pixels of the whole world at zoom 0. */
const worldPixels = 256

/** The step of the fields (section 5 of the specification): about eleven metres. */
const decimals = 4

/**
 * What the panel starts with while nothing is applied to a map: it shows the whole land, wherever that lies. Without
 * land it is the specification's default. It is a proposal, which no map follows before somebody applies it.
 */
export function proposedConfiguration(land: Bounds | null): MapConfiguration {
  if (!land) return defaultMapConfiguration
  const { north, east, south, west } = unwrapped(land)
  const [top, bottom] = [mercatorY(north), mercatorY(south)]
  const center = {
    lat: Number(latOfMercatorY((top + bottom) / 2).toFixed(decimals)),
    lng: Number(middleLng(land).toFixed(decimals)),
  }
  const zoomThatFits = Math.min(
    Math.log2(smallestView.width / worldPixels / (mercatorX(east) - mercatorX(west))),
    Math.log2(smallestView.height / worldPixels / (bottom - top)),
  )
  const startZoom = Math.max(minZoom, Math.min(closestLandZoom, Math.floor(zoomThatFits)))
  return { ...defaultMapConfiguration, center, startZoom }
}
