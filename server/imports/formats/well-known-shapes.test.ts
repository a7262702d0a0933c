import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arbitraryGeometry } from '#test/random/arbitrary-features.ts'
import { toWkt } from '../../exports/export-columns.ts'
import { readWkt } from './well-known-shapes.ts'

const pair = [
  [1, 2],
  [3, 4],
]
it.each([
  ['POINT (1 2)', { type: 'Point', coordinates: [1, 2] }],
  ['point(-1.5 2e-3)', { type: 'Point', coordinates: [-1.5, 0.002] }],
  ['SRID=4326;POINT Z (1 2 3)', { type: 'Point', coordinates: [1, 2, 3], srid: 4326 }],
  ['SRID=2249;POINT (1 2)', { type: 'Point', coordinates: [1, 2], srid: 2249 }],
  ['MULTIPOINT ((1 2), (3 4))', { type: 'MultiPoint', coordinates: pair }],
  ['MULTIPOINT (1 2, 3 4)', { type: 'MultiPoint', coordinates: pair }],
  ['LINESTRING (1 2,\n3 4)', { type: 'LineString', coordinates: pair }],
])('reads %s', (text, geometry) => {
  expect(readWkt(text)).toEqual(geometry)
})

it.each(['', 'POINT', 'POINT (a b)', 'CIRCLE (1 2)', 'POINT (1 2', 'POINT (1-2 3)'])(
  'does not read %j',
  (text) => {
    expect(readWkt(text)).toBeUndefined()
  },
)

it('reads exported shapes to the last digit', () => {
  fc.assert(
    fc.property(arbitraryGeometry, (geometry) => {
      expect(JSON.stringify(readWkt(toWkt(geometry)))).toBe(JSON.stringify(geometry))
    }),
  )
})
