import type { FeatureShape } from '#domain/definition/kinds.ts'
import { pinsFromZoom } from '#domain/map-configuration/map-constants.ts'

/** 512-pixel tiles; the map engine enlarges beyond it. */
export const maxTileZoom = 17

export const tilePixels = 512

/** Zooms of the specification count tiles of half the width. */
export const pinsFromTileZoom = pinsFromZoom - 1

/** Smaller lines and polygons are drawn as points: 8 px squared, or 8 px of length. */
const visibleAreaPixels = 64
const visibleLengthPixels = 8

/** Drawn as a point at every zoom. */
export const alwaysAPoint = 99

/** `mercatorSize` is area or length on the unit square. */
export function sizeZoom(shape: FeatureShape, mercatorSize: number): number {
  if (shape === 'point' || !(mercatorSize > 0)) return alwaysAPoint
  const pixelsAtZoom0 =
    shape === 'line' ? visibleLengthPixels / mercatorSize : Math.sqrt(visibleAreaPixels / mercatorSize)
  return Math.min(alwaysAPoint, Math.max(0, Math.ceil(Math.log2(pixelsAtZoom0 / tilePixels))))
}
