import type { FeatureShape } from '#domain/definition/kinds.ts'
import { pinsFromZoom } from '#domain/map-configuration/map-constants.ts'

/** Deepest zoom of 512-pixel tiles that is served; beyond it the map engine enlarges. */
export const maxTileZoom = 17

export const tilePixels = 512

/** Tiles on which features are pins; zooms of the specification count tiles of half the width. */
export const pinsFromTileZoom = pinsFromZoom - 1

/** A line or polygon that covers less than this is a point to the eye: 8 px squared, or 8 px of length. */
const visibleAreaPixels = 64
const visibleLengthPixels = 8

/** `size_zoom` of a feature that is drawn as a point at every zoom. */
export const alwaysAPoint = 99

/**
 * First tile zoom at which a line or polygon is drawn as such. `mercatorSize` is its area or length on the unit square.
 */
export function sizeZoom(shape: FeatureShape, mercatorSize: number): number {
  if (shape === 'point' || !(mercatorSize > 0)) return alwaysAPoint
  const pixelsAtZoom0 =
    shape === 'line' ? visibleLengthPixels / mercatorSize : Math.sqrt(visibleAreaPixels / mercatorSize)
  return Math.min(alwaysAPoint, Math.max(0, Math.ceil(Math.log2(pixelsAtZoom0 / tilePixels))))
}
