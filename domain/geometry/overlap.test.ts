import { expect, it } from 'vitest'
import type { Geometry, Position } from './geometry.schema.ts'
import { measureAcres } from './measure-acres.ts'
import { overlapAcres } from './overlap.ts'

/** Small: edges are arcs on the ground, and straight on the map. */
const unit = 0.01
const box = (...sides: [west: number, south: number, east: number, north: number]): Position[] => {
  const [west = 0, south = 0, east = 0, north = 0] = sides.map((side) => side * unit)
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}
const area = (...rings: Position[][]): Geometry => ({ type: 'Polygon', coordinates: rings })
const acres = (geometry: Geometry) => measureAcres(geometry) ?? 0

it('is the common area, in both orders', () => {
  const [one, other] = [area(box(0, 0, 2, 2)), area(box(1, 1, 3, 3))]
  const common = acres(area(box(1, 1, 2, 2)))
  expect(overlapAcres(one, other)).toBeCloseTo(common, 3)
  expect(overlapAcres(other, one)).toBeCloseTo(common, 3)
  expect(overlapAcres(one, one)).toBeCloseTo(acres(one), 3)
})

it('is 0 for areas that touch or are apart', () => {
  const one = area(box(0, 0, 2, 2))
  for (const other of [box(2, 0, 3, 2), box(2, 2, 3, 3), box(5, 5, 6, 6)])
    expect(overlapAcres(one, area(other))).toBe(0)
  expect(overlapAcres(one, { type: 'Point', coordinates: [unit, unit] })).toBe(0)
})

it('excludes holes, and includes all parts', () => {
  const ring = area(box(0, 0, 4, 4), box(1, 1, 3, 3))
  expect(overlapAcres(ring, area(box(1.5, 1.5, 2.5, 2.5)))).toBe(0)
  expect(overlapAcres(ring, area(box(2, 2, 5, 5)))).toBeCloseTo(
    acres(area(box(2, 2, 4, 4))) - acres(area(box(2, 2, 3, 3))),
    2,
  )
  const parts: Geometry = { type: 'MultiPolygon', coordinates: [[box(0, 0, 1, 1)], [box(3, 0, 4, 1)]] }
  expect(overlapAcres(parts, area(box(0.5, 0, 3.5, 1)))).toBeCloseTo(acres(area(box(0.5, 0, 1, 1))) * 2, 3)
})
