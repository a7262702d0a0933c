import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EnclosedArea } from './enclosed-area.ts'
import type { Geometry, Position } from './geometry.schema.ts'
import { meetingWith } from './meeting-geometries.ts'

const point = (x: number, y: number): Geometry => ({ type: 'Point', coordinates: [x, y] })
const points = (...coordinates: Position[]): Geometry => ({ type: 'MultiPoint', coordinates })
const line = (...coordinates: Position[]): Geometry => ({ type: 'LineString', coordinates })
const ring = (west: number, south: number, side: number): Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const polygon = (...coordinates: Position[][]): Geometry => ({ type: 'Polygon', coordinates })
const square = polygon(ring(0, 0, 10))
const frame = polygon(ring(0, 0, 10), ring(2, 2, 6))

describe('meetingWith', () => {
  it.each<[string, Geometry, Geometry]>([
    ['a point and itself', point(1, 2), point(1, 2)],
    ['one of several points, the last', points([9, 9], [1, 2]), point(1, 2)],
    ['a point on a line', line([0, 0], [4, 8]), point(1, 2)],
    ['a point in an area', square, point(5, 5)],
    ['a point on its edge', square, point(10, 5)],
    ['a point on its corner', square, point(0, 0)],
    ['the last of several points in an area', square, points([20, 20], [5, 5])],
    ['crossing lines', line([0, 0], [4, 4]), line([0, 4], [4, 0])],
    ['lines that share an end', line([0, 0], [4, 4]), line([4, 4], [9, 0])],
    ['a line through an area', square, line([-5, 5], [15, 5])],
    ['a line within an area', square, line([4, 5], [6, 5])],
    ['an area within another', square, polygon(ring(4, 4, 1))],
    ['areas that share a corner', square, polygon(ring(10, 10, 5))],
    ['an area around a frame', frame, polygon(ring(-5, -5, 50))],
    [
      'an area in the second part',
      { type: 'MultiPolygon', coordinates: [[ring(50, 50, 1)], [ring(0, 0, 10)]] },
      point(5, 5),
    ],
  ])('%s', (_, one, other) => {
    expect(meetingWith(one)(other)).toBe(true)
    expect(meetingWith(other)(one)).toBe(true)
  })

  it.each<[string, Geometry, Geometry]>([
    ['points apart', point(1, 2), point(1, 3)],
    ['a point beside a line', line([0, 0], [4, 8]), point(1, 2.0000000001)],
    ['a point behind the end of a line', line([0, 0], [4, 8]), point(5, 10)],
    ['a point in a hole', frame, point(5, 5)],
    ['an area in a hole', frame, polygon(ring(4, 4, 1))],
    ['lines side by side', line([0, 0], [4, 4]), line([0, 1], [4, 5])],
    ['areas side by side', square, polygon(ring(11, 0, 5))],
  ])('does not find %s', (_, one, other) => {
    expect(meetingWith(one)(other)).toBe(false)
    expect(meetingWith(other)(one)).toBe(false)
  })

  it('agrees with EnclosedArea', () => {
    const place = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))
    const triangle = fc.uniqueArray(place, { minLength: 3, maxLength: 3, selector: String })
    const other = fc.oneof(
      place.map(([x, y]) => point(x, y)),
      fc.array(place, { minLength: 2, maxLength: 4 }).map((places) => line(...(places as Position[]))),
      triangle.map((places) => polygon([...places, places[0]] as Position[])),
    )
    fc.assert(
      fc.property(triangle, other, (corners, geometry) => {
        const closed = [...corners, corners[0]] as Position[]
        expect(meetingWith(polygon(closed))(geometry)).toBe(new EnclosedArea(closed).meets(geometry))
      }),
      { numRuns: 500 },
    )
  })
})
