import geographicLib from 'geographiclib-geodesic'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { polygonsOfGeometry } from './measure-geometry.ts'

const squareMetersPerAcre = 4_046.856_422_4

/** On the WGS 84 ellipsoid; null for points and lines. */
export function measureAcres(geometry: Geometry): number | null {
  const polygons = polygonsOfGeometry(geometry)
  if (polygons.length === 0) return null
  let squareMeters = 0
  for (const [outer = [], ...holes] of polygons) {
    squareMeters += ringSquareMeters(outer)
    for (const hole of holes) squareMeters -= ringSquareMeters(hole)
  }
  return Math.max(0, squareMeters) / squareMetersPerAcre
}

function ringSquareMeters(ring: readonly Position[]): number {
  const polygon = geographicLib.Geodesic.WGS84.Polygon(false)
  for (const [lng, lat] of ring.slice(1)) polygon.AddPoint(lat, lng)
  return Math.abs(polygon.Compute(false, true).area ?? 0)
}
