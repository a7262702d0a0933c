import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { Extent } from '../database/database.ts'

export function isWithin(inner: Extent, outer: Extent): boolean {
  const { west, south, east, north } = outer
  return inner.west >= west && inner.south >= south && inner.east <= east && inner.north <= north
}

export function joinExtents(extents: Iterable<Extent | null | undefined>): Extent | null {
  let joined: Extent | null = null
  for (const extent of extents) {
    if (!extent) continue
    const { west, south, east, north } = extent
    joined = joined
      ? {
          west: Math.min(joined.west, west),
          south: Math.min(joined.south, south),
          east: Math.max(joined.east, east),
          north: Math.max(joined.north, north),
        }
      : { west, south, east, north }
  }
  return joined
}

export function fillsItsExtent({ type, coordinates }: Geometry): boolean {
  if (type === 'Point') return true
  const [ring = [], ...holes] = type === 'Polygon' ? coordinates : []
  const corners = new Set(ring.map(String))
  const isUpright = ring.slice(1).every(([x, y], at) => x === ring[at]?.[0] || y === ring[at]?.[1])
  return ring.length === 5 && corners.size === 4 && isUpright && holes.length === 0
}
