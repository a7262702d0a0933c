import { expect, it } from 'vitest'
import { comb, slantedComb, slantedHoles } from '#test/random/hostile-shapes.ts'
import { findGeometryFault, maxEditedPositions } from './find-geometry-fault.ts'
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
