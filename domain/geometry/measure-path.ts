import geographicLib from 'geographiclib-geodesic'

type Position = readonly number[]

// On the WGS 84 ellipsoid, exact to fractions of a millimeter: a sphere is wrong by up to half a percent.

const ellipsoid = geographicLib.Geodesic.WGS84

export function distanceMeters([lng1 = 0, lat1 = 0]: Position, [lng2 = 0, lat2 = 0]: Position): number {
  return ellipsoid.Inverse(lat1, lng1, lat2, lng2).s12 ?? 0
}

export function lengthMeters(path: readonly Position[]): number {
  return path
    .slice(1)
    .reduce((sum, position, index) => sum + distanceMeters(path[index] ?? position, position), 0)
}

export function radiusMeters(corners: readonly Position[]): number {
  if (corners.length === 0) return 0
  const mean = (axis: 0 | 1) => corners.reduce((sum, corner) => sum + (corner[axis] ?? 0), 0) / corners.length
  const centre = [mean(0), mean(1)]
  return corners.reduce((sum, corner) => sum + distanceMeters(centre, corner), 0) / corners.length
}
