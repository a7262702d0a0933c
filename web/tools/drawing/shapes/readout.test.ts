import { describe, expect, it } from 'vitest'
import { areaSquareMeters } from '#domain/geometry/measure-acres.ts'
import { distanceMeters, lengthMeters, radiusMeters } from '#domain/geometry/measure-path.ts'
import { readoutOf } from './readout.ts'

const isWithinTolerance = (actual: number, expected: number) =>
  expect(Math.abs(actual / expected - 1)).toBeLessThan(0.0001)

describe('distances', () => {
  it.each([
    // Meridian quadrant of WGS 84, and a degree of its equator.
    [[0, 0], [0, 90], 10_001_965.729],
    [[0, 0], [1, 0], 111_319.491],
    // JFK to LHR, the example of the library's manual.
    [[-73.8, 40.6], [-0.5, 51.6], 5_551_759.4],
  ])('from %j to %j', (from, to, meters) => {
    isWithinTolerance(distanceMeters(from, to), meters)
  })

  it('add up along a line', () => {
    isWithinTolerance(
      lengthMeters([
        [0, 0],
        [1, 0],
        [2, 0],
      ]),
      222_638.982,
    )
    expect(lengthMeters([[5, 5]])).toBe(0)
    expect(lengthMeters([])).toBe(0)
  })
})

describe('areas', () => {
  const small = 0.001
  it('multiply the sides of a small rectangle at the latitude of the samples', () => {
    const lat = (34.05 * Math.PI) / 180
    // Radii of curvature of WGS 84.
    const [a, e2] = [6_378_137, 0.00669437999014]
    const w = Math.sqrt(1 - e2 * Math.sin(lat) ** 2)
    const north = ((a * (1 - e2)) / w ** 3) * ((small * Math.PI) / 180)
    const east = (a / w) * Math.cos(lat) * ((small * Math.PI) / 180)
    const half = small / 2
    const corners = [
      [-half, -half],
      [half, -half],
      [half, half],
      [-half, half],
    ].map(([x = 0, y = 0]) => [-111.09 + x, 34.05 + y])
    isWithinTolerance(areaSquareMeters(corners), north * east)
    isWithinTolerance(areaSquareMeters(corners.toReversed()), north * east)
  })

  it('of an octant are an eighth of the earth', () => {
    isWithinTolerance(
      areaSquareMeters([
        [0, 0],
        [90, 0],
        [0, 90],
      ]),
      510_065_621_724_088 / 8,
    )
  })
})

it('a circle keeps its radius', () => {
  const corners = Array.from({ length: 64 }, (_, index) => {
    const angle = (index / 64) * 2 * Math.PI
    return [-111 + (100 / 92_384.9) * Math.cos(angle), 34 + (100 / 110_922.4) * Math.sin(angle)]
  })
  expect(Math.abs(radiusMeters(corners) - 100)).toBeLessThan(0.1)
})

describe('the readout', () => {
  const square = [
    [0, 0],
    [0.001, 0],
    [0.001, 0.001],
    [0, 0.001],
  ]
  it.each([
    ['marker', [[0, 0]], ''],
    ['polyline', [[0, 0]], ''],
    ['polyline', square.slice(0, 3), 'Length 728 ft (222 m)'],
    ['polygon', square.slice(0, 2), 'Length 365 ft (111 m)'],
    ['polygon', square, 'Area 3.04 acres (1.23 ha) · Perimeter 1,456 ft (444 m)'],
    ['rectangle', square, 'Area 3.04 acres (1.23 ha) · Perimeter 1,456 ft (444 m)'],
    ['circle', square, 'Area 3.04 acres (1.23 ha) · Radius 257 ft (78.5 m)'],
  ] as const)('of a %s with corners %j', (kind, corners, text) => {
    expect(readoutOf(kind, corners as unknown as number[][])).toBe(text)
  })
})
