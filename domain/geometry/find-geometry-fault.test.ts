import { expect, it } from 'vitest'
import { comb, slantedComb, slantedHoles } from '#test/random/hostile-shapes.ts'
import { findGeometryFault, findWideEdge, maxEditedPositions } from './find-geometry-fault.ts'
import type { Geometry, Position } from './geometry.schema.ts'

it.each<[what: string, geometry: Geometry]>([
  ['teeth whose boxes all overlap', slantedComb(19_990)],
  ['holes whose boxes all overlap', slantedHoles(3_990)],
])('gives up on 20,000 corners with %s', (_what, geometry) => {
  expect(findGeometryFault(geometry)?.what).toMatch(/^has too many edges close together/)
})

it('accepts an ordinary shape of 20,000 corners', () => {
  const circle = Array.from({ length: maxEditedPositions - 1 }, (_, at): Position => {
    const angle = (2 * Math.PI * at) / (maxEditedPositions - 1)
    return [-111 + 0.02 * Math.cos(angle), 34 + 0.02 * Math.sin(angle)]
  })
  expect(findGeometryFault({ type: 'Polygon', coordinates: [[...circle, circle[0] as Position]] })).toBeNull()
  expect(findGeometryFault(comb(4_990))).toBeNull()
  expect(findGeometryFault(slantedComb(1_000))).toBeNull()
})

it.each<[what: string, geometry: Geometry, at: Position | undefined]>([
  [
    'a line across the date line',
    {
      type: 'LineString',
      coordinates: [
        [179, 0],
        [-179, 1],
      ],
    },
    [179, 0],
  ],
  ['a ring across it', polygonOf([179, 10], [-179, 10], [-179, 11], [179, 11]), [179, 10]],
  ['the world', polygonOf([-180, -90], [180, -90], [180, 90], [-180, 90]), [-180, -90]],
  ['both sides of it', polygonOf([-180, 10], [-179, 10], [-179, 11], [-180, 11]), undefined],
  [
    'half of the world',
    {
      type: 'LineString',
      coordinates: [
        [-90, 0],
        [90, 0],
      ],
    },
    undefined,
  ],
])('finds edges that are split in GeoJSON: %s', (_what, geometry, at) => {
  expect(findWideEdge(geometry)?.at).toEqual(at)
})

function polygonOf(...corners: Position[]): Geometry {
  return { type: 'Polygon', coordinates: [[...corners, corners[0] as Position]] }
}
