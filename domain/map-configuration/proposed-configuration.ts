import { middleLng, unwrapped } from '#domain/geometry/box.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { latOfMercatorY, mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'
import { defaultMapConfiguration, type MapConfiguration } from './map-configuration.schema.ts'
import { closestLandZoom, minZoom } from './map-constants.ts'

/** Pixels of a map on the smallest supported screens. */
const smallestView = { width: 360, height: 400 }

const worldPixels = 256

/** Step of the fields (section 5 of the specification): about eleven meters. */
const decimals = 4

/** The whole land, or the specification's default. */
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
