import { clipPolygon } from 'lineclip'
import { type Geom, intersection } from 'polyclip-ts'
import type { Geometry, Position } from './geometry.schema.ts'
import { measureAcres } from './measure-acres.ts'
import { extentOfGeometry, polygonsOfGeometry } from './measure-geometry.ts'

type Box = readonly [west: number, south: number, east: number, north: number]

/** In acres; 0 for areas that only touch. */
export function overlapAcres(one: Geometry, other: Geometry): number {
  const [a, b] = [extentOfGeometry(one), extentOfGeometry(other)]
  const box: Box = [
    Math.max(a.west, b.west),
    Math.max(a.south, b.south),
    Math.min(a.east, b.east),
    Math.min(a.north, b.north),
  ]
  if (box[0] >= box[2] || box[1] >= box[3]) return 0
  // Only edges near the box matter: streets can have thousands of corners.
  const [near, nearOther] = [within(one, box), within(other, box)]
  if (near.length === 0 || nearOther.length === 0) return 0
  const common = intersection(near as Geom, nearOther as Geom)
  return measureAcres({ type: 'MultiPolygon', coordinates: common as Position[][][] }) ?? 0
}

/** The part of an area in a box. May have edges of no width along the box. */
export function within(area: Geometry, box: Box): Position[][][] {
  return polygonsOfGeometry(area).flatMap((rings) => {
    const [outer, ...holes] = rings.map((ring) => close(clipPolygon(ring, [...box]) as Position[]))
    if (!outer || outer.length < 4) return []
    return [[outer, ...holes.filter((hole) => hole.length >= 4)]]
  })
}

function close(ring: Position[]): Position[] {
  const [first, last] = [ring[0], ring.at(-1)]
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return ring
  return [...ring, first]
}
