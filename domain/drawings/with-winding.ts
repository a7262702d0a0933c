type Shape = { type: string; coordinates: unknown }

/** RFC 7946 requires counterclockwise rings. */
export function withWinding<Geometry extends Shape>(geometry: Geometry): Geometry {
  if (geometry.type !== 'Polygon') return geometry
  const [ring = []] = geometry.coordinates as number[][][]
  const doubleArea = ring.reduce((sum, [lng = 0, lat = 0], index) => {
    const [nextLng = lng, nextLat = lat] = ring[index + 1] ?? []
    return sum + lng * nextLat - nextLng * lat
  }, 0)
  return doubleArea >= 0 ? geometry : { ...geometry, coordinates: [ring.toReversed()] }
}
