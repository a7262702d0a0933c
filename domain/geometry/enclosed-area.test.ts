import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EnclosedArea, enclosedAreas } from './enclosed-area.ts'
import type { Geometry, Position } from './geometry.schema.ts'
import { extentOfGeometry, partsOfGeometry, polygonsOfGeometry } from './measure-geometry.ts'

const square = (west: number, south: number, side: number): Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const polygon = (...rings: Position[][]): Geometry => ({ type: 'Polygon', coordinates: rings })
const line = (...coordinates: Position[]): Geometry => ({ type: 'LineString', coordinates })
const point = (...coordinates: Position): Geometry => ({ type: 'Point', coordinates })

const area = new EnclosedArea(square(0, 0, 10).slice(0, 4))

describe('an area', () => {
  it.each<[string, Geometry, boolean]>([
    ['a point within', point(5, 5), true],
    ['a point on its edge', point(10, 5), true],
    ['a point at a corner', point(0, 0), true],
    ['a point beside it', point(10.000001, 5), false],
    [
      'one point of several',
      {
        type: 'MultiPoint',
        coordinates: [
          [20, 5],
          [5, 5],
        ],
      },
      true,
    ],
    ['a line through it whose ends lie outside', line([-5, 5], [15, 5]), true],
    ['a line that touches a corner', line([-5, 5], [5, -5]), true],
    ['a line that passes a corner', line([-5, 4.9], [5, -5.1]), false],
    [
      'the second of two lines',
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [20, 0],
            [21, 0],
          ],
          [
            [5, 5],
            [6, 6],
          ],
        ],
      },
      true,
    ],
    ['land within', polygon(square(2, 2, 1)), true],
    ['land around it', polygon(square(-5, -5, 30)), true],
    ['land that shares an edge', polygon(square(10, 0, 5)), true],
    ['land whose hole it lies in', polygon(square(-5, -5, 30), square(-1, -1, 15)), false],
    ['land whose hole it touches', polygon(square(-5, -5, 30), square(0, 0, 15)), true],
    ['land whose hole lies in it', polygon(square(-5, -5, 30), square(4, 4, 2)), true],
    [
      'a second polygon',
      { type: 'MultiPolygon', coordinates: [[square(20, 0, 1)], [square(9, 9, 5)]] },
      true,
    ],
    ['land beyond', polygon(square(11, 0, 5)), false],
  ])('meets %s, or not: %#', (_, geometry, meets) => {
    expect(area.meets(geometry)).toBe(meets)
  })

  it('encloses points within an odd number of turns if it crosses itself', () => {
    const hourglass = new EnclosedArea([
      [0, 0],
      [10, 10],
      [10, 0],
      [0, 10],
    ])
    expect(hourglass.covers([1, 5])).toBe(true)
    expect(hourglass.covers([5, 1])).toBe(false)
    const twice = new EnclosedArea([...square(0, 0, 10), ...square(2, 2, 4)])
    expect(twice.covers([1, 5])).toBe(true)
    expect(twice.covers([4, 4])).toBe(false)
  })

  it('may have zero width', () => {
    const flat = new EnclosedArea([
      [0, 0],
      [10, 0],
      [0, 0],
    ])
    expect(flat.meets(point(5, 0))).toBe(true)
    expect(flat.meets(polygon(square(4, -1, 2)))).toBe(true)
    expect(flat.meets(point(5, 1))).toBe(false)
  })

  it('across the date line is in both worlds', () => {
    const areas = enclosedAreas([
      [170, 0],
      [190, 0],
      [190, 10],
      [170, 10],
    ])
    const meets = (lng: number) => areas.map((one) => one.covers([lng, 5]))
    expect([meets(175), meets(-175), meets(165), meets(-165)]).toEqual([
      [true, false],
      [false, true],
      [false, false],
      [false, false],
    ])
    expect(
      enclosedAreas([
        [-190, 0],
        [-170, 0],
        [-180, 10],
      ]).some((one) => one.covers([175, 1])),
    ).toBe(true)
    expect(
      enclosedAreas([
        [-180, 0],
        [180, 0],
        [0, 10],
      ]).some((one) => one.covers([0, 5])),
    ).toBe(true)
  })
})

// Small integers, so that ends often lie on lines, and counting is exact.
const whole = fc.integer({ min: 0, max: 6 })
const place = fc.tuple(whole, whole).map(([x, y]): Position => [x, y])
const places = (minLength: number) => fc.array(place, { minLength, maxLength: 6 })
/** Fans out from a corner of the grid, so that no edges cross. */
const simpleRing = fc
  .uniqueArray(
    place.filter(([x, y]) => x + y > 0),
    { minLength: 2, maxLength: 5, selector: ([x, y]) => y / x },
  )
  .map((some): Position[] => {
    const turned = some.toSorted(([x, y], [u, v]) => Math.atan2(y, x) - Math.atan2(v, u))
    return [[0, 0], ...turned, [0, 0]]
  })
const anyGeometry: fc.Arbitrary<Geometry> = fc.oneof(
  place.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  places(1).map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
  places(2).map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  fc
    .array(places(2), { minLength: 1, maxLength: 3 })
    .map((coordinates): Geometry => ({ type: 'MultiLineString', coordinates })),
  simpleRing.map((outer) => polygon(outer)),
  simpleRing.map((hole) => polygon(square(-1, -1, 8), hole)),
)

it('agrees with a slow count of common points, and with extents', () => {
  fc.assert(
    fc.property(places(3), anyGeometry, (corners, geometry) => {
      const enclosed = new EnclosedArea(corners)
      const meets = enclosed.meets(geometry)
      expect(meets).toBe(meetsByHand(corners, geometry))
      const byExtent = enclosed.meetsAnyIn(extentOfGeometry(geometry))
      if (byExtent !== undefined) expect(byExtent).toBe(meets)
    }),
    { numRuns: 3_000 },
  )
})

function meetsByHand(corners: Position[], geometry: Geometry): boolean {
  const ring = [...corners, corners[0] as Position]
  const parts = partsOfGeometry(geometry)
  if (parts.some((part) => part.some((at) => sideByHand([ring], at) !== 'outside'))) return true
  if (geometry.type.endsWith('Point')) return false
  if (parts.some((part) => edgesOf(part).some((one) => edgesOf(ring).some((other) => doMeet(one, other)))))
    return true
  return polygonsOfGeometry(geometry).some((rings) =>
    corners.some((at) => sideByHand(rings, at) !== 'outside'),
  )
}

type Edge = [Position, Position]
const edgesOf = (path: readonly Position[]): Edge[] =>
  path.slice(1).map((to, index) => [path[index] as Position, to])
const turn = ([a, b]: Edge, c: Position) =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
const isOn = (edge: Edge, [x, y]: Position) => {
  const [[ax, ay], [bx, by]] = edge
  return turn(edge, [x, y]) === 0 && (x - ax) * (x - bx) <= 0 && (y - ay) * (y - by) <= 0
}
const doMeet = (one: Edge, other: Edge) =>
  one.some((end) => isOn(other, end)) ||
  other.some((end) => isOn(one, end)) ||
  (turn(one, other[0]) * turn(one, other[1]) < 0 && turn(other, one[0]) * turn(other, one[1]) < 0)

function sideByHand(rings: readonly Position[][], at: Position): 'inside' | 'outside' | 'on' {
  const edges = rings.flatMap(edgesOf)
  if (edges.some((edge) => isOn(edge, at))) return 'on'
  const far: Edge = [at, [at[0] + 1, at[1] + 1_000]]
  return edges.filter((edge) => doMeet(edge, far)).length % 2 === 1 ? 'inside' : 'outside'
}
