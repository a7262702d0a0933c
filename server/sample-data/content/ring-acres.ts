import geographiclib from 'geographiclib-geodesic'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { squareMetersPerAcre } from '../land/survey.ts'

/** Area of a ring on the WGS 84 ellipsoid, in acres to two decimals. */
export function acresOfRing(ring: readonly Position[]): number {
  const polygon = geographiclib.Geodesic.WGS84.Polygon(false)
  for (const [lng, lat] of ring.slice(1)) polygon.AddPoint(lat, lng)
  const area = Math.abs(polygon.Compute(false, true).area ?? 0)
  return Math.round((area / squareMetersPerAcre) * 100) / 100
}
