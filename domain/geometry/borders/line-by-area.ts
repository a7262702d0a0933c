import type { Geometry, Position } from '../geometry.schema.ts'
import { areaSquareMeters, measureAcres, squareMetersPerAcre } from '../measure-acres.ts'
import { polygonsOfGeometry } from '../measure-geometry.ts'
import { ShapeRefusal } from './shape-graph.ts'

const iterations = 60

/**
 * Returns a line across the area that divides `acres` off its end in the direction of `bearing` (degrees clockwise
 * from north). The line is perpendicular to the bearing. Throws a ShapeRefusal if the area is too small.
 */
export function lineByArea(
  geometry: Geometry,
  { acres, bearing }: { acres: number; bearing: number },
): Position[] {
  const total = measureAcres(geometry) ?? 0
  if (!(acres > 0)) throw new ShapeRefusal('Enter an area greater than 0.')
  if (acres >= total) throw new ShapeRefusal('The area must be smaller than the whole.')
  const corners = polygonsOfGeometry(geometry).flat(2)
  const [originLng, originLat] = corners[0] as Position
  const squeeze = Math.cos((originLat * Math.PI) / 180)
  const angle = (bearing * Math.PI) / 180
  const [east, north] = [Math.sin(angle), Math.cos(angle)]
  const toPlane = ([lng, lat]: Position) => {
    const [x, y] = [(lng - originLng) * squeeze, lat - originLat]
    return { along: x * east + y * north, across: x * north - y * east }
  }
  const places = corners.map(toPlane)
  let low = Math.min(...places.map(({ along }) => along))
  let high = Math.max(...places.map(({ along }) => along))
  const [first, last] = [
    Math.min(...places.map(({ across }) => across)),
    Math.max(...places.map(({ across }) => across)),
  ]
  for (let step = 0; step < iterations; step++) {
    const middle = (low + high) / 2
    if (acresBeyond(geometry, (position) => toPlane(position).along - middle) > acres) low = middle
    else high = middle
  }
  const margin = (last - first) * 0.01
  return [first - margin, last + margin].map((across): Position => {
    const [x, y] = [low * east + across * north, low * north - across * east]
    return [originLng + x / squeeze, originLat + y]
  })
}

/** The part where `heightOf` is positive. */
function acresBeyond(geometry: Geometry, heightOf: (position: Position) => number): number {
  const areaOf = (ring: readonly Position[]) => areaSquareMeters(clipRing(ring, heightOf))
  const squareMeters = polygonsOfGeometry(geometry).reduce(
    (sum, [outer = [], ...holes]) => sum + areaOf(outer) - holes.reduce((all, hole) => all + areaOf(hole), 0),
    0,
  )
  return squareMeters / squareMetersPerAcre
}

/** Sutherland and Hodgman. Pieces may be joined by edges along the line, which have no area. */
function clipRing(ring: readonly Position[], heightOf: (position: Position) => number): Position[] {
  return ring.slice(1).flatMap((to, index) => {
    const from = ring[index] as Position
    const [fromHeight, toHeight] = [heightOf(from), heightOf(to)]
    const share = fromHeight / (fromHeight - toHeight)
    const crossing: Position[] =
      fromHeight > 0 === toHeight > 0
        ? []
        : [[from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]]
    return toHeight > 0 ? [...crossing, to] : crossing
  })
}
