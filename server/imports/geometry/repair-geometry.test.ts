import { describe, expect, it } from 'vitest'
import { findPolygonProblem } from '#domain/geometry/find-polygon-problem.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { mercatorSize } from '#domain/geometry/measure-geometry.ts'
import { threadTime } from '#test/server/event-loop-delay.ts'
import { repairGeometry } from './repair-geometry.ts'

function ring(text: string): Position[] {
  const positions = text.split(' ').map((pair) => pair.split(',').map(Number) as Position)
  return [...positions, positions[0] as Position]
}

const box = (west: number, south: number, east: number, north: number) =>
  ring(`${west},${south} ${east},${south} ${east},${north} ${west},${north}`)

const problemOf = (...polygons: Position[][][]) => findPolygonProblem(polygons)?.what

describe('findPolygonProblem', () => {
  it.each([
    ['a square', [[box(0, 0, 4, 4)]]],
    ['a vertex given twice', [[ring('0,0 4,0 4,0 4,4')]]],
    ['a vertex on a straight side', [[ring('0,0 2,0 4,0 4,4 0,4')]]],
    ['a hole', [[box(0, 0, 4, 4), box(1, 1, 2, 2)]]],
    ['a hole that touches the outer ring once', [[box(0, 0, 4, 4), ring('0,2 1,1 1,3')]]],
    ['holes that touch each other once', [[box(0, 0, 9, 9), box(1, 1, 3, 3), box(3, 3, 5, 5)]]],
    ['three rings that touch in one point', [[box(0, 0, 9, 9), ring('4,4 3,2 5,2'), ring('4,4 3,6 5,6')]]],
    ['parts apart', [[box(0, 0, 1, 1)], [box(2, 2, 3, 3)]]],
    ['parts that touch in points', [[box(0, 0, 2, 2)], [ring('2,0 4,1 2,2 3,1')]]],
    ['a part inside the hole of another', [[box(0, 0, 9, 9), box(1, 1, 8, 8)], [box(2, 2, 3, 3)]]],
  ])('finds %s valid', (_, polygons) => {
    expect(problemOf(...polygons)).toBeUndefined()
  })

  it.each([
    ['a bow tie', [[ring('0,0 4,4 4,0 0,4')]], 'crosses itself'],
    ['a ring that comes back to its vertex', [[ring('0,0 2,2 4,0 4,4 2,2 0,4')]], 'touches itself'],
    ['a ring that touches its own side', [[ring('0,0 4,0 4,4 2,0 0,4')]], 'touches itself'],
    ['a spike', [[ring('0,0 4,0 4,4 4,6 4,4 0,4')]], 'overlaps itself along an edge'],
    ['a spike along a side', [[ring('0,0 4,0 2,0 2,4')]], 'overlaps itself along an edge'],
    ['a hole across the outer ring', [[box(0, 0, 4, 4), box(3, 1, 5, 2)]], 'crosses itself'],
    ['a hole along the outer ring', [[box(0, 0, 4, 4), box(0, 1, 2, 2)]], 'overlaps itself along an edge'],
    ['a hole outside', [[box(0, 0, 4, 4), box(5, 5, 6, 6)]], 'has a hole outside its outer ring'],
    ['a hole in a hole', [[box(0, 0, 9, 9), box(1, 1, 8, 8), box(2, 2, 3, 3)]], 'has a hole inside a hole'],
    [
      'a hole that touches twice',
      [[box(0, 0, 4, 4), ring('0,2 2,1 4,2 2,3')]],
      'is split by rings that touch',
    ],
    [
      'three holes in a circle',
      [[box(0, 0, 20, 20), ring('2,2 10,2 7,4'), ring('10,2 14,10 9,9'), ring('2,2 9,9 2,12')]],
      'is split by rings that touch',
    ],
    ['parts that cross', [[box(0, 0, 2, 2)], [box(1, 1, 3, 3)]], 'crosses itself'],
    ['parts along each other', [[box(0, 0, 2, 2)], [box(2, 0, 4, 2)]], 'overlaps itself along an edge'],
    ['a part inside another', [[box(0, 0, 9, 9)], [box(1, 1, 2, 2)]], 'has parts that overlap'],
    [
      'parts that cross in vertices alone',
      [[box(0, 0, 4, 4)], [ring('0,2 2,4 4,2 2,0')]],
      'has parts that overlap',
    ],
    ['a ring with two places', [[ring('0,0 1,1 0,0')]], 'has a ring with fewer than 3 different positions'],
  ])('finds %s invalid', (_, polygons, problem) => {
    expect(problemOf(...polygons)).toBe(problem)
  })

  it('is exact where rounding is not', () => {
    const onSide = [[ring('0,0 0.3,0.1 0.3,0.4 0.15,0.05 0,0.4')]]
    const beside = [[ring('0,0 0.3,0.1 0.3,0.4 0.15,0.05000000000000001 0,0.4')]]
    expect(problemOf(...onSide)).toBe('touches itself')
    expect(problemOf(...beside)).toBeUndefined()
  })

  it('is quick with as many vertices as a feature may have', () => {
    const circle = (vertices: number) => {
      const ring = Array.from({ length: vertices }, (_, index): Position => {
        const angle = (index / vertices) * 2 * Math.PI
        return [Math.cos(angle), Math.sin(angle)]
      })
      return [...ring, ring[0] as Position]
    }
    const msOf = (ring: Position[]) => {
      const start = threadTime()
      expect(problemOf([ring])).toBeUndefined()
      return threadTime() - start
    }
    // The fastest of five, because other load only adds time. Comparing all sides would take 256 times as long.
    const few = Math.min(...Array.from({ length: 5 }, () => msOf(circle(6_249))))
    const many = Math.min(...Array.from({ length: 3 }, () => msOf(circle(99_999))))
    expect(many / few).toBeLessThan(100)
  })
})

describe('repairGeometry', () => {
  it('leaves valid geometries unchanged', () => {
    const geometry: Geometry = { type: 'Polygon', coordinates: [ring('0,0 4,0 4,0 4,4')] }
    expect(repairGeometry(geometry)).toEqual({ geometry })
    const line: Geometry = { type: 'LineString', coordinates: ring('0,0 4,4 4,0 0,4') }
    expect(repairGeometry(line)).toEqual({ geometry: line })
  })

  it('makes two triangles of a bow tie', () => {
    const { geometry, repaired } = repairGeometry({ type: 'Polygon', coordinates: [ring('0,0 4,4 4,0 0,4')] })
    expect(repaired).toBe('its polygon crosses itself near 2.000000, 2.000000')
    expect(geometry.type).toBe('MultiPolygon')
    expect(geometry.coordinates).toHaveLength(2)
  })

  it('keeps land that a ring goes around twice', () => {
    const wound = ring('0,0 6,0 6,6 0,6 0,0 2,2 4,2 4,4 2,4 2,2')
    const { geometry } = repairGeometry({ type: 'Polygon', coordinates: [wound] })
    const expected = mercatorSize({ type: 'Polygon', coordinates: [box(0, 0, 6, 6)] })
    expect(mercatorSize(geometry) / expected).toBeCloseTo(1, 6)
  })

  it('makes a hole of a ring that returns in the other direction', () => {
    const wound = ring('0,0 6,0 6,6 0,6 0,0 2,2 2,4 4,4 4,2 2,2')
    const { geometry } = repairGeometry({ type: 'Polygon', coordinates: [wound] })
    const expected = mercatorSize({ type: 'Polygon', coordinates: [box(0, 0, 6, 6), box(2, 2, 4, 4)] })
    expect(mercatorSize(geometry) / expected).toBeCloseTo(1, 6)
  })

  it('cuts spikes off', () => {
    const { geometry } = repairGeometry({ type: 'Polygon', coordinates: [ring('0,0 4,0 4,4 4,6 4,4 0,4')] })
    expect(geometry.type).toBe('Polygon')
    expect(mercatorSize(geometry)).toBeCloseTo(
      mercatorSize({ type: 'Polygon', coordinates: [box(0, 0, 4, 4)] }),
      12,
    )
  })

  it('refuses polygons that enclose nothing', () => {
    expect(() => repairGeometry({ type: 'Polygon', coordinates: [ring('0,0 1,1 0,0')] })).toThrow(
      'its polygon has a ring with fewer than 3 different positions near 0.000000, 0.000000 and has no area',
    )
  })
})
