import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryGeometry } from '#test/random/arbitrary-features.ts'
import { comb, flatBoomerang } from '#test/random/hostile-shapes.ts'
import { threadTime } from '#test/server/event-loop-delay.ts'
import type { Geometry, Position } from './geometry.schema.ts'
import {
  extentOfGeometry,
  locationOfGeometry,
  mercatorRingArea,
  mercatorSize,
  outerRing,
  partsOfGeometry,
  shapeOfGeometry,
} from './measure-geometry.ts'
import { mercatorX, mercatorY } from './web-mercator.ts'

const square = (west: number, south: number, size: number): Position[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]

/** A U that is open to the north: its center of mass is in the gap. */
const horseshoe: Position[] = [
  [0, 0],
  [3, 0],
  [3, 3],
  [2, 3],
  [2, 1],
  [1, 1],
  [1, 3],
  [0, 3],
  [0, 0],
]

describe('shapeOfGeometry', () => {
  it.each([
    ['Point', 'point'],
    ['MultiPoint', 'point'],
    ['LineString', 'line'],
    ['MultiLineString', 'line'],
    ['Polygon', 'polygon'],
    ['MultiPolygon', 'polygon'],
  ] as const)('takes a %s for a %s', (type, shape) => {
    expect(shapeOfGeometry({ type, coordinates: [] } as unknown as Geometry)).toBe(shape)
  })
})

describe('extentOfGeometry', () => {
  it('is the smallest box around every position', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (geometry) => {
        const positions = partsOfGeometry(geometry).flat()
        const { west, south, east, north } = extentOfGeometry(geometry)
        expect([west, east]).toEqual([
          Math.min(...positions.map(([lng]) => lng)),
          Math.max(...positions.map(([lng]) => lng)),
        ])
        expect([south, north]).toEqual([
          Math.min(...positions.map(([, lat]) => lat)),
          Math.max(...positions.map(([, lat]) => lat)),
        ])
      }),
    )
  })
})

describe('mercatorSize', () => {
  it('is 0 for points', () => {
    expect(mercatorSize({ type: 'Point', coordinates: [1, 2] })).toBe(0)
  })

  it('is the length of a line on the plane', () => {
    expect(
      mercatorSize({
        type: 'LineString',
        coordinates: [
          [0, 0],
          [36, 0],
          [0, 0],
        ],
      }),
    ).toBeCloseTo(0.2, 12)
  })

  it('is the area of a polygon on the plane in both ring directions, ignoring holes', () => {
    const area = (mercatorX(1) - mercatorX(0)) * (mercatorY(0) - mercatorY(1))
    const hole = (mercatorX(0.5) - mercatorX(0.25)) * (mercatorY(0.25) - mercatorY(0.5))
    const outer = square(0, 0, 1)
    expect(mercatorRingArea(outer)).toBeCloseTo(area, 12)
    expect(mercatorRingArea(outer.toReversed())).toBeCloseTo(area, 12)
    const polygon: Geometry = { type: 'Polygon', coordinates: [outer, square(0.25, 0.25, 0.25)] }
    expect(mercatorSize(polygon)).toBeCloseTo(area - hole, 12)
  })
})

describe('outerRing', () => {
  it('returns the ring of the largest polygon', () => {
    const coordinates = [[square(0, 0, 1)], [square(10, 10, 2)], [square(20, 20, 1)]]
    expect(outerRing({ type: 'MultiPolygon', coordinates })).toEqual(square(10, 10, 2))
    expect(outerRing({ type: 'Point', coordinates: [0, 0] })).toEqual([])
  })
})

describe('locationOfGeometry', () => {
  it('is within the extent', () => {
    fc.assert(
      fc.property(arbitraryGeometry, (geometry) => {
        const { lng, lat } = locationOfGeometry(geometry)
        const { west, south, east, north } = extentOfGeometry(geometry)
        const rounding = 1e-9
        expect(lng).toBeGreaterThanOrEqual(west - rounding)
        expect(lng).toBeLessThanOrEqual(east + rounding)
        expect(lat).toBeGreaterThanOrEqual(south - rounding)
        expect(lat).toBeLessThanOrEqual(north + rounding)
      }),
    )
  })

  it('is the middle of a line', () => {
    const { lng, lat } = locationOfGeometry({
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 0],
        [4, 0],
      ],
    })
    expect(lng).toBeCloseTo(2, 9)
    expect(lat).toBe(0)
  })

  it('is the center of mass of a simple polygon', () => {
    const { lng, lat } = locationOfGeometry({ type: 'Polygon', coordinates: [square(0, 0, 2)] })
    expect([lng, lat]).toEqual([1, 1])
  })

  it('stays inside a bent polygon', () => {
    const { lng, lat } = locationOfGeometry({ type: 'Polygon', coordinates: [horseshoe] })
    const isInGap = lng > 1 && lng < 2 && lat > 1
    expect(isInGap).toBe(false)
  })

  it('stays out of a hole', () => {
    const { lng, lat } = locationOfGeometry({
      type: 'Polygon',
      coordinates: [square(0, 0, 4), square(1, 1, 2)],
    })
    const isInHole = lng > 1 && lng < 3 && lat > 1 && lat < 3
    expect(isInHole).toBe(false)
  })
})

describe('the pin of a hostile polygon', () => {
  it.each([1, 100, 1e4, 1e9])('is found quickly if it is %d times wider than high', (ratio) => {
    for (const isUpright of [false, true]) {
      const [ring = []] = flatBoomerang(ratio).coordinates
      const corners = ring.map(([x, y]): Position => (isUpright ? [y - 34, x] : [x, y - 34]))
      const start = threadTime()
      const { lng, lat } = locationOfGeometry({ type: 'Polygon', coordinates: [corners] })
      expect(threadTime() - start).toBeLessThan(500)
      const { west, east, south, north } = extentOfGeometry({ type: 'Polygon', coordinates: [corners] })
      expect(lng).toBeGreaterThan(west)
      expect(lng).toBeLessThan(east)
      expect(lat).toBeGreaterThan(south)
      expect(lat).toBeLessThan(north)
    }
  })

  it('is found in time in a comb of 20,000 corners', () => {
    const start = threadTime()
    locationOfGeometry(comb(4_990))
    expect(threadTime() - start).toBeLessThan(1_000)
  })
})
