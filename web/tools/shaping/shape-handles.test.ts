import { expect, it } from 'vitest'
import { ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { handlesOf } from './shape-handles.ts'

const corners = Array.from({ length: 10_000 }, (_, index): Position => {
  const angle = (index / 10_000) * 2 * Math.PI
  return [Math.cos(angle), Math.sin(angle)]
})
const graph = new ShapeGraph([
  {
    id: 'street',
    name: 'Street',
    geometry: { type: 'Polygon', coordinates: [[...corners, corners[0] as Position]] },
  },
])

it('gives a long street handles in view only, and none if they are too many', () => {
  const handlesIn = (west: number, south: number, east: number, north: number) =>
    handlesOf(graph, graph.shape('street'), { west, south, east, north })
  const handles = handlesIn(0.99, -0.01, 1.01, 0.01) ?? []
  expect(handles.length).toBeGreaterThan(20)
  expect(handles.length).toBeLessThan(80)
  for (const { position } of handles) expect(Math.abs(position[1])).toBeLessThanOrEqual(0.01)
  expect(handlesIn(-2, -2, 2, 2)).toBeNull()
})
