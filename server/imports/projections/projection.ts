import proj4 from 'proj4'
import type { Position } from '#domain/geometry/geometry.schema.ts'

/** Can be sent to a thread: the code in the EPSG register, and the definition as WKT. */
export type ProjectionDefinition = { code: string; wkt: string }

export type Projection = {
  code: string
  /** Longitude and latitude in WGS 84; not finite outside the projection. */
  toDegrees(x: number, y: number): Position
  fromDegrees(lng: number, lat: number): Position
}

export function openProjection({ code, wkt }: ProjectionDefinition): Projection {
  const { forward, inverse } = proj4(wkt, 'EPSG:4326')
  return {
    code,
    toDegrees: (x, y) => forward([x, y]) as Position,
    fromDegrees: (lng, lat) => inverse([lng, lat]) as Position,
  }
}

type Definition = Pick<ProjectionDefinition, 'wkt'>

export const nameOfProjection = ({ wkt }: Definition) => /^\w+\["([^"]*)"/.exec(wkt)?.[1] ?? 'unnamed'

export function noticesOfProjection(projection: Definition): string[] {
  const inaccurate = (datum: string, meters: number) => [
    `Its projection (${nameOfProjection(projection)}) uses ${datum}: imported features may be up to ${meters} m off.`,
  ]
  if (/North American Datum 1927|NAD27/i.test(projection.wkt))
    return inaccurate('NAD27, the datum before 1983', 70)
  const isHarn = /HARN|High Accuracy Reference Network/i.test(projection.wkt)
  return isHarn ? inaccurate('NAD83 HARN', 1) : []
}
