import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  latOfMercatorY,
  lngOfMercatorX,
  maxMercatorLatitude,
  mercatorX,
  mercatorY,
} from '#domain/geometry/web-mercator.ts'
import { mortonCode, mortonRangeOfTile } from './morton.ts'

const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const zoom = fc.integer({ min: 0, max: 17 })

describe('mortonCode', () => {
  it('puts a place into the range of its tile only', () => {
    fc.assert(
      fc.property(unit, unit, zoom, (unitX, unitY, z) => {
        const [lng, lat] = [lngOfMercatorX(unitX), latOfMercatorY(unitY)]
        const tiles = 2 ** z
        const tileOf = (place: number) => Math.min(tiles - 1, Math.max(0, Math.floor(place * tiles)))
        const [x, y] = [tileOf(mercatorX(lng)), tileOf(mercatorY(lat))]
        const code = mortonCode(lng, lat)
        for (const [dx, dy] of [
          [0, 0],
          [1, 0],
          [0, 1],
          [-1, 0],
          [0, -1],
        ] as const) {
          if (x + dx < 0 || x + dx >= tiles || y + dy < 0 || y + dy >= tiles) continue
          const { first, end } = mortonRangeOfTile(z, x + dx, y + dy)
          expect(code >= first && code < end).toBe(dx === 0 && dy === 0)
        }
      }),
    )
  })

  it('clamps places to the plane', () => {
    const whole = mortonRangeOfTile(0, 0, 0)
    for (const [lng, lat] of [
      [-180, 90],
      [180, -90],
      [180, 90],
      [0, maxMercatorLatitude],
      [-180, -90],
    ] as const) {
      const code = mortonCode(lng, lat)
      expect(code).toBeGreaterThanOrEqual(whole.first)
      expect(code).toBeLessThan(whole.end)
    }
    expect(mortonCode(180, -90)).toBe(whole.end - 1)
    expect(mortonCode(-180, 90)).toBe(0)
  })
})

describe('mortonRangeOfTile', () => {
  it('consists of the ranges of its four children, in order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 16 }), unit, unit, (z, unitX, unitY) => {
        const [x, y] = [Math.floor(unitX * 2 ** z), Math.floor(unitY * 2 ** z)]
        const parent = mortonRangeOfTile(z, x, y)
        const children = [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ].map(([dx = 0, dy = 0]) => mortonRangeOfTile(z + 1, 2 * x + dx, 2 * y + dy))
        expect(children.map((child) => child.first)).toEqual([
          parent.first,
          ...children.slice(0, 3).map((child) => child.end),
        ])
        expect(children.at(-1)?.end).toBe(parent.end)
      }),
    )
  })

  it('covers all codes at zoom 0', () => {
    expect(mortonRangeOfTile(0, 0, 0)).toEqual({ first: 0, end: 4 ** 26 })
  })
})
