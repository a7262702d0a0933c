import { expect, it } from 'vitest'
import type { Geometry, Position } from '../geometry.schema.ts'
import { cornerKey } from './corners.ts'
import { moveCorner } from './edit-corners.ts'
import { type Shape, ShapeGraph } from './shape-graph.ts'

const u = 1e-4
const width = 5_000

/** A street with lots on its north side, and a corner at each of their borders. */
function town() {
  const read = new Set<string>()
  const shape = (id: string, corners: readonly Position[]): Shape => {
    const geometry: Geometry = { type: 'Polygon', coordinates: [[...corners, corners[0] as Position]] }
    return {
      id,
      name: id,
      get geometry() {
        read.add(id)
        return geometry
      },
    }
  }
  const at = (x: number, y: number): Position => [x * u, y * u]
  const row = (y: number) => Array.from({ length: width + 1 }, (_, x) => at(x, y))
  const graph = new ShapeGraph([
    shape('street', [...row(0), ...row(1).reverse()]),
    ...Array.from({ length: width }, (_, x) =>
      shape(`lot ${x}`, [at(x, 1), at(x + 1, 1), at(x + 1, 2), at(x, 2)]),
    ),
  ])
  return { graph, read, at }
}

it('finds the edges near a place without those of the rest of a street', () => {
  const { graph, at } = town()
  const near = graph.edgesNear(at(2_500.5, 1), 0.1 * u)
  expect(near.map(({ id }) => id).sort()).toEqual(['lot 2500', 'street'])
})

it('reads only the shapes around a corner that moves', () => {
  const { graph, read, at } = town()
  // The index of boxes reads each shape once.
  graph.idsInBox([0, 0, u, u])
  read.clear()
  const edit = moveCorner(graph, cornerKey(at(2_500, 1)), at(2_500.2, 1.2))
  expect([...edit.keys()].sort()).toEqual(['lot 2499', 'lot 2500', 'street'])
  expect(read.size).toBeLessThan(10)
})
