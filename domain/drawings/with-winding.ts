type Shape = { type: string; coordinates: unknown }

/** A drawn shape as RFC 7946 asks for it: its ring runs counterclockwise. Hands draw as they like. */
export function withWinding<Geometry extends Shape>(geometry: Geometry): Geometry {
  if (geometry.type !== 'Polygon') return geometry
  const [ring = []] = geometry.coordinates as number[][][]
  const doubleArea = ring.reduce((sum, [lng = 0, lat = 0], index) => {
    const [nextLng = lng, nextLat = lat] = ring[index + 1] ?? []
    return sum + lng * nextLat - nextLng * lat
  }, 0)
  return doubleArea >= 0 ? geometry : { ...geometry, coordinates: [ring.toReversed()] }
}
