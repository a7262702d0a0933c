import type { Geometry, Position } from '../geometry.schema.ts'

/** About 0.1 mm. Positions that are equal after rounding are the same corner. */
const decimals = 1e9
/** Degrees. A point that was rounded onto an edge is closer than this. */
export const edgeTolerance = 2e-9

export type CornerKey = string

export function roundPosition([lng, lat, ...rest]: readonly number[]): Position {
  return [roundDegrees(lng), roundDegrees(lat), ...rest]
}

export const cornerKey = ([lng, lat]: readonly number[]): CornerKey =>
  `${roundDegrees(lng)} ${roundDegrees(lat)}`

export const isSameCorner = (one: readonly number[], other: readonly number[]) =>
  roundDegrees(one[0]) === roundDegrees(other[0]) && roundDegrees(one[1]) === roundDegrees(other[1])

export const positionOfCorner = (corner: CornerKey) => corner.split(' ').map(Number) as unknown as Position

// Adding zero turns -0 into 0.
const roundDegrees = (degrees = Number.NaN) => Math.round(degrees * decimals) / decimals + 0

export type Path = {
  /** Without the repeated last position of a ring. */
  corners: readonly Position[]
  isRing: boolean
}

/** Replaces each line and ring; null removes it, a hole or a part. Null if nothing is left. */
export function mapPaths(
  geometry: Geometry,
  change: (path: Path) => readonly Position[] | null,
): Geometry | null {
  const line = (corners: readonly Position[]) => change({ corners, isRing: false }) as Position[] | null
  const polygon = (rings: readonly Position[][]): Position[][] | null => {
    const [outer, ...holes] = rings.map((ring) => {
      const corners = ring.slice(0, -1)
      const changed = change({ corners, isRing: true })
      if (changed === corners) return ring
      return changed && [...changed, changed[0] as Position]
    })
    return outer ? [outer, ...holes.filter((hole) => hole !== null)] : null
  }
  switch (geometry.type) {
    case 'Point': {
      const [coordinates] = line([geometry.coordinates]) ?? []
      return coordinates ? { type: 'Point', coordinates } : null
    }
    case 'MultiPoint':
    case 'LineString': {
      const coordinates = line(geometry.coordinates)
      return coordinates && { type: geometry.type, coordinates }
    }
    case 'MultiLineString': {
      const coordinates = geometry.coordinates.map(line).filter((part) => part !== null)
      return coordinates.length > 0 ? { type: 'MultiLineString', coordinates } : null
    }
    case 'Polygon': {
      const coordinates = polygon(geometry.coordinates)
      return coordinates && { type: 'Polygon', coordinates }
    }
    case 'MultiPolygon': {
      const coordinates = geometry.coordinates.map(polygon).filter((part) => part !== null)
      return coordinates.length > 0 ? { type: 'MultiPolygon', coordinates } : null
    }
  }
}

export function pathsOf(geometry: Geometry): Path[] {
  const paths: Path[] = []
  mapPaths(geometry, (path) => {
    paths.push(path)
    return path.corners
  })
  return paths
}
