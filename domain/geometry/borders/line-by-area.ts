import type { Geometry, Position } from '../geometry.schema.ts'
import { areaSquareMeters, measureAcres, squareMetersPerAcre } from '../measure-acres.ts'
import { polygonsOfGeometry } from '../measure-geometry.ts'
import { scaleAt } from '../scale.ts'
import { ShapeRefusal } from './shape-graph.ts'

const iterations = 60

/** Degrees clockwise from north. */
type Bearing = { bearing: number }

/** Returns a line across the area, perpendicular to the bearing. Throws a ShapeRefusal if it would miss the area. */
export function lineByDistance(
  geometry: Geometry,
  { meters, bearing }: Bearing & { meters: number },
): Position[] {
  if (!(meters > 0)) throw new ShapeRefusal('Enter a distance greater than 0.')
  return lineAcross(geometry, bearing, (_, { low, high }) => {
    if (meters >= high - low) throw new ShapeRefusal('The distance must be smaller than the whole.')
    return high - meters
  })
}

/**
 * Returns a line across the area that divides `acres` off its end in the direction of the bearing. Throws a
 * ShapeRefusal if the area is too small.
 */
export function lineByArea(geometry: Geometry, { acres, bearing }: Bearing & { acres: number }): Position[] {
  const total = measureAcres(geometry) ?? 0
  if (!(acres > 0)) throw new ShapeRefusal('Enter an area greater than 0.')
  if (acres >= total) throw new ShapeRefusal('The area must be smaller than the whole.')
  return lineAcross(geometry, bearing, (alongOf, { low, high }) => {
    for (let step = 0; step < iterations; step++) {
      const middle = (low + high) / 2
      if (acresBeyond(geometry, (position) => alongOf(position) - middle) > acres) low = middle
      else high = middle
    }
    return low
  })
}

type Range = { low: number; high: number }

/** `choose` returns how far along the bearing the line is, in meters. */
function lineAcross(
  geometry: Geometry,
  bearing: number,
  choose: (alongOf: (position: Position) => number, range: Range) => number,
): Position[] {
  const corners = polygonsOfGeometry(geometry).flat(2)
  const [originLng, originLat] = corners[0] as Position
  const [perLng, perLat] = scaleAt(originLat)
  const angle = (bearing * Math.PI) / 180
  const [east, north] = [Math.sin(angle), Math.cos(angle)]
  const toPlane = ([lng, lat]: Position) => {
    const [x, y] = [(lng - originLng) * perLng, (lat - originLat) * perLat]
    return { along: x * east + y * north, across: x * north - y * east }
  }
  const places = corners.map(toPlane)
  const rangeOf = (values: readonly number[]): Range => ({
    low: values.reduce((one, other) => Math.min(one, other)),
    high: values.reduce((one, other) => Math.max(one, other)),
  })
  const along = choose((position) => toPlane(position).along, rangeOf(places.map((place) => place.along)))
  const { low: first, high: last } = rangeOf(places.map(({ across }) => across))
  const margin = (last - first) * 0.01
  return [first - margin, last + margin].map((across): Position => {
    const [x, y] = [along * east + across * north, along * north - across * east]
    return [originLng + x / perLng, originLat + y / perLat]
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
