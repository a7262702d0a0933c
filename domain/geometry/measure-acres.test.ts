import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from './measure-acres.ts'

const lune = (west: number, east: number): Position[] => [
  [west, 0],
  [east, 0],
  [west, 90],
  [west, 0],
]

/** Surface of the WGS 84 ellipsoid. */
const earthAcres = 510_065_621_724_089 / 4_046.856_422_4

const shareOfEarth = (geometry: Geometry) => (measureAcres(geometry) ?? 0) / earthAcres

describe('measureAcres', () => {
  it('measures on the ellipsoid', () => {
    expect(shareOfEarth({ type: 'Polygon', coordinates: [lune(0, 90)] })).toBeCloseTo(1 / 8, 9)
  })

  it('accepts both ring directions', () => {
    expect(shareOfEarth({ type: 'Polygon', coordinates: [lune(0, 90).reverse()] })).toBeCloseTo(1 / 8, 9)
  })

  it('adds parts', () => {
    const parts = [[lune(0, 90)], [lune(90, 180).reverse()]]
    expect(shareOfEarth({ type: 'MultiPolygon', coordinates: parts })).toBeCloseTo(1 / 4, 9)
  })

  it('subtracts holes', () => {
    expect(shareOfEarth({ type: 'Polygon', coordinates: [lune(0, 90), lune(0, 45)] })).toBeCloseTo(1 / 16, 9)
  })

  it('returns null for points and lines', () => {
    expect(measureAcres({ type: 'Point', coordinates: [0, 0] })).toBeNull()
  })
})
