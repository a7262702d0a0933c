import { expect, it } from 'vitest'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { readWkt } from '../formats/well-known-shapes.ts'
import { readGeometry } from './read-geometry.ts'
import { repairGeometry } from './repair-geometry.ts'

const read = (wkt: string) => repairGeometry(readGeometry(readWkt(wkt)))
const wasCut = 'it was split at the date line'

/** From 179.5 east to 179.5 west, with a hole in its western half. */
const overTheLine =
  'POLYGON ((179.5 51, -179.5 51, -179.5 52, 179.5 52, 179.5 51), (179.7 51.2, 179.7 51.4, 179.9 51.4, 179.9 51.2, 179.7 51.2))'
const polygonsOf = ({ geometry }: { geometry: Geometry }) =>
  geometry.type === 'MultiPolygon' ? geometry.coordinates : []

it('cuts a polygon at the date line, and keeps its hole and its area', () => {
  const cut = read(overTheLine)
  expect(cut.repaired).toBe(wasCut)
  const boxes = polygonsOf(cut).map(([outer = []]) => {
    const lngs = outer.map(([lng]) => lng)
    return [Math.min(...lngs), Math.max(...lngs)]
  })
  expect(boxes.toSorted(([one = 0], [other = 0]) => one - other)).toEqual([
    [-180, -179.5],
    [179.5, 180],
  ])
  expect(
    polygonsOf(cut)
      .map((rings) => rings.length)
      .toSorted(),
  ).toEqual([1, 2])
  // The same polygon ten degrees further west is not cut. Edges are arcs, so that the areas differ a little.
  const moved = read(overTheLine.replaceAll(/-?179\.\d/g, (lng) => String((Number(lng) + 350) % 360)))
  expect((measureAcres(cut.geometry) ?? 0) / (measureAcres(moved.geometry) ?? 0)).toBeCloseTo(1, 4)
})

it('cuts a polygon with a vertex on the date line, and keeps parts beside it', () => {
  const touching = '((179 10, 180 10, -179 10.5, 180 11, 179 11, 179 10))'
  const cut = read(`MULTIPOLYGON (${touching}, ((-178 10, -177 10, -177 11, -178 10)))`)
  expect(polygonsOf(cut)).toHaveLength(3)
})

it('cuts a line at the date line', () => {
  expect(read('LINESTRING (170 0, -170 10, -160 10)')).toEqual({
    geometry: readWkt('MULTILINESTRING ((170 0, 180 5), (-180 5, -170 10, -160 10))'),
    repaired: wasCut,
  })
})

it.each([
  ['touches the date line', 'POLYGON ((-180 10, -179 10, -179 11, -180 11, -180 10))'],
  ['spans the world', 'POLYGON ((-180 -80, 180 -80, 180 80, -180 80, -180 -80))'],
])('does not cut a polygon that %s', (_, wkt) => {
  expect(read(wkt)).toEqual({ geometry: readWkt(wkt) })
})

it.each([
  [
    'has no area',
    'POLYGON ((179 10, -179 10, 179.5 10, 179 10))',
    'its polygon crosses the date line and has no area',
  ],
  [
    'includes a pole',
    'POLYGON ((0 80, 120 80, -120 80, 0 80))',
    'its polygon includes a pole; split it at longitude 180',
  ],
])('rejects a polygon that %s', (_, wkt, reason) => {
  expect(() => read(wkt)).toThrow(reason)
})
