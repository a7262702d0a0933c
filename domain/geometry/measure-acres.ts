import geographicLib from 'geographiclib-geodesic'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { polygonsOfGeometry } from './measure-geometry.ts'

export const squareMetersPerAcre = 4_046.856_422_4

/** On the WGS 84 ellipsoid; null for points and lines. */
export function measureAcres(geometry: Geometry): number | null {
  const polygons = polygonsOfGeometry(geometry)
  if (polygons.length === 0) return null
  let squareMeters = 0
  for (const [outer = [], ...holes] of polygons) {
    squareMeters += areaSquareMeters(outer)
    for (const hole of holes) squareMeters -= areaSquareMeters(hole)
  }
  return Math.max(0, squareMeters) / squareMetersPerAcre
}

/** On the WGS 84 ellipsoid; positive. The ring need not be closed. */
export function areaSquareMeters(ring: readonly (readonly number[])[]): number {
  const polygon = geographicLib.Geodesic.WGS84.Polygon(false)
  for (const [lng = 0, lat = 0] of ring) polygon.AddPoint(lat, lng)
  return Math.abs(polygon.Compute(false, true).area ?? 0)
}

/** Tolerance for rounded areas in files and forms. */
const sameShare = 1e-4

export function isAreaOf(geometry: Geometry, acres: number): boolean {
  const measured = measureAcres(geometry)
  return measured !== null && Math.abs(acres - measured) <= measured * sameShare
}
