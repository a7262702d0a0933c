import type { FeatureShape } from '#domain/definition/kinds.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { locationOfGeometry, mercatorSize, shapeOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { earthCircumferenceMeters } from '#domain/geometry/web-mercator.ts'
import { mortonCode } from '#domain/thinning/morton.ts'
import { sizeZoom } from '#domain/thinning/tile-zooms.ts'

/** What follows from a geometry for the tiles. */
export type Placement = {
  shape: FeatureShape
  /** Where its pin stands, in degrees. */
  lng: number
  lat: number
  /** Of the location. */
  morton: number
  /** Length (m) or area (m2) at the scale of the equator; 0 for points. */
  size: number
  /** The first zoom of tiles that draw it as a line or an area. */
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
