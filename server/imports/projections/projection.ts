import proj4 from 'proj4'
import type { Position } from '#domain/geometry/geometry.schema.ts'

/** A projection as another thread can be told it: its number in the EPSG register, and its definition as WKT. */
export type ProjectionDefinition = { code: string; wkt: string }

export type Projection = {
  code: string
  /** Longitude and latitude in WGS 84; not finite where there is no such place. */
  toDegrees(x: number, y: number): Position
  /** The other way round. */
  fromDegrees(lng: number, lat: number): Position
}

/** Throws where it is of a kind that proj4 does not know. */
export function openProjection({ code, wkt }: ProjectionDefinition): Projection {
  const { forward, inverse } = proj4(wkt, 'EPSG:4326')
  return {
    code,
    toDegrees: (x, y) => forward([x, y]) as Position,
    fromDegrees: (lng, lat) => inverse([lng, lat]) as Position,
  }
}
