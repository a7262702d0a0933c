import type { Geometry, Position } from './geometry.schema.ts'
import { polygonsOfGeometry } from './measure-geometry.ts'
import { orientation } from './segments.ts'

/** Whether a place lies in an area or on its edge. Exact. */
export function covers(area: Geometry, place: Position): boolean {
  return polygonsOfGeometry(area).some(([outer = [], ...holes]) => {
    if (sideOf(outer, place) === 'outside') return false
    return holes.every((hole) => sideOf(hole, place) !== 'inside')
  })
}

function sideOf(ring: readonly Position[], place: Position): 'inside' | 'outside' | 'on' {
  let isInside = false
  for (let index = 1; index < ring.length; index++) {
    const passing = passingOf(ring[index - 1] as Position, ring[index] as Position, place)
    if (passing === 'on') return 'on'
    if (passing === 'east') isInside = !isInside
  }
  return isInside ? 'inside' : 'outside'
}

/**
 * How an edge passes a place: through it, or east of it, where the way due east crosses it; null for any other way. What
 * is passed in the east an odd number of times is inside.
 */
export function passingOf(from: Position, to: Position, [x, y]: Position): 'on' | 'east' | null {
  const side = orientation(from, to, [x, y])
  if (side === 0 && isBetween(from, to, x, y)) return 'on'
  return from[1] > y !== to[1] > y && side > 0 === to[1] > from[1] ? 'east' : null
}

/** Of a place on the line through both. */
const isBetween = (from: Position, to: Position, x: number, y: number) =>
  Math.min(from[0], to[0]) <= x &&
  x <= Math.max(from[0], to[0]) &&
  Math.min(from[1], to[1]) <= y &&
  y <= Math.max(from[1], to[1])
