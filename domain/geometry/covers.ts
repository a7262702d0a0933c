import type { Geometry, Position } from './geometry.schema.ts'
import { polygonsOfGeometry } from './measure-geometry.ts'
import { orientation } from './segments.ts'

/** Counts compared edges. An edge that cannot pass the place costs a sixteenth. */
export type Effort = { steps: number }

/** Includes the edge. Exact. */
export function covers(area: Geometry, place: Position, effort: Effort = { steps: 0 }): boolean {
  return polygonsOfGeometry(area).some(([outer = [], ...holes]) => {
    if (sideOf(outer, place, effort) === 'outside') return false
    return holes.every((hole) => sideOf(hole, place, effort) !== 'inside')
  })
}

function sideOf(ring: readonly Position[], place: Position, effort: Effort): 'inside' | 'outside' | 'on' {
  let isInside = false
  effort.steps += ring.length / 16
  for (let index = 1; index < ring.length; index++) {
    const [from, to] = [ring[index - 1] as Position, ring[index] as Position]
    if (cannotPass(from, to, place)) continue
    effort.steps++
    const passing = passingOf(from, to, place)
    if (passing === 'on') return 'on'
    if (passing === 'east') isInside = !isInside
  }
  return isInside ? 'inside' : 'outside'
}

/** How an edge passes a place: through it, or crossing the ray due east. An odd number of crossings means inside. */
export function passingOf(from: Position, to: Position, [x, y]: Position): 'on' | 'east' | null {
  const side = orientation(from, to, [x, y])
  if (side === 0 && isBetween(from, to, x, y)) return 'on'
  return from[1] > y !== to[1] > y && side > 0 === to[1] > from[1] ? 'east' : null
}

const isBetween = (from: Position, to: Position, x: number, y: number) =>
  Math.min(from[0], to[0]) <= x &&
  x <= Math.max(from[0], to[0]) &&
  Math.min(from[1], to[1]) <= y &&
  y <= Math.max(from[1], to[1])

const cannotPass = (from: Position, to: Position, [x, y]: Position) =>
  (from[1] > y && to[1] > y) || (from[1] < y && to[1] < y) || (from[0] < x && to[0] < x)
