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

/** A projection, or degrees of a datum. */
type Defined = Pick<ProjectionDefinition, 'wkt'>

export const nameOfProjection = ({ wkt }: Defined) => /^\w+\["([^"]*)"/.exec(wkt)?.[1] ?? 'unnamed'

/** What should be known of its exactness, measured without grids. */
export function noticesOfProjection(projection: Defined): string[] {
  const name = nameOfProjection(projection)
  if (/North American Datum 1927|NAD27/i.test(projection.wkt))
    return [
      `Its projection (${name}) is of NAD27, the datum before 1983: what is imported may lie up to 70 m off.`,
    ]
  if (/HARN|High Accuracy Reference Network/i.test(projection.wkt))
    return [`Its projection (${name}) is of NAD83 HARN: what is imported may lie up to 1 m off.`]
  return []
}
