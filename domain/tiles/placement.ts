import type { FeatureShape } from '#domain/definition/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { locationOfGeometry, mercatorSize, shapeOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { earthCircumferenceMeters } from '#domain/geometry/web-mercator.ts'
import { mortonCode } from '#domain/thinning/morton.ts'
import { sizeZoom } from '#domain/thinning/tile-zooms.ts'

export type Placement = {
  shape: FeatureShape
  /** Place of the pin, in degrees. */
  lng: number
  lat: number
  morton: number
  /** Length (m) or area (m²) at the scale of the equator; 0 for points. */
  size: number
  sizeZoom: number
}

export function placementOf(geometry: Geometry): Placement {
  const shape = shapeOfGeometry(geometry)
  const { lng, lat } = locationOfGeometry(geometry)
  const size = mercatorSize(geometry)
  return {
    shape,
    lng,
    lat,
    morton: mortonCode(lng, lat),
    size: shape === 'line' ? size * earthCircumferenceMeters : size * earthCircumferenceMeters ** 2,
    sizeZoom: sizeZoom(shape, size),
  }
}
