import { expect, it } from 'vitest'
import { cornerKey } from '#domain/geometry/borders/corners.ts'
import { moveCorner } from '#domain/geometry/borders/edit-corners.ts'
import { type ShapeEdit, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import type { Box } from '#domain/geometry/segments.ts'
import { proposeFix } from '#domain/land-check/fix-land-problem.ts'
import { describeProblem } from '#web/workspace/land-problems.ts'
import { problemsOf, problemsOfShape } from './land-warnings.ts'

const u = 0.001
const always = (box: Box) => box
const square = (x: number, y: number): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [x * u, y * u],
      [(x + 1) * u, y * u],
      [(x + 1) * u, (y + 1) * u],
      [x * u, (y + 1) * u],
      [x * u, y * u],
    ],
  ],
})
const lots = () =>
  new ShapeGraph([
    { id: 'a', name: 'Lot A', geometry: square(0, 0) },
    { id: 'b', name: 'Lot B', geometry: square(1, 0) },
  ])
const move = (graph: ShapeGraph, to: Position, only?: string): ShapeEdit => {
  const edit = moveCorner(graph, cornerKey([u, u]), to, only === undefined ? {} : { only })
  graph.apply(edit)
  return edit
}

it('warns of an overlap that a detached corner makes, and gives the land to either lot', () => {
  const graph = lots()
  const edit = move(graph, [1.2 * u, 0.8 * u], 'a')
  const [problem, ...others] = problemsOf(graph, edit, always)
  expect(others).toEqual([])
  if (!problem) throw new Error('no problem was found')
  const { text, remedies } = describeProblem(problem, ['Lot A', 'Lot B'])
  expect(text).toMatch(/^Lot A overlaps Lot B by [\d,.]+ (sq ft|acres|m²)$/)
  expect(remedies.map(({ label }) => label)).toEqual(['Give to Lot A', 'Give to Lot B'])
  for (const { keeper } of remedies) {
    const fix = proposeFix(graph, problem, keeper)
    if ('refused' in fix) throw new Error(fix.refused)
    graph.apply(fix.edit)
    expect(problemsOf(graph, edit, always)).toEqual([])
    graph.revert(fix.edit)
  }
})

it('does not warn where neighbors are not loaded, as there seem to be gaps', () => {
  const graph = lots()
  const edit = move(graph, [1.2 * u, 0.8 * u], 'a')
  expect(problemsOf(graph, edit, () => null)).toEqual([])
  expect(problemsOfShape(graph, graph.shape('a'), () => null)).toEqual([])
})

it('names the problems that a shape has already', () => {
  const graph = lots()
  move(graph, [1.2 * u, u], 'a')
  const [lot] = [graph.shape('a')]
  expect(problemsOfShape(graph, lot, always).map((problem) => problem.class)).toContain('overlap')
  expect(problemsOfShape(lots(), lots().shape('a'), always)).toEqual([])
})

it('does not warn of a shared corner that moved, nor of problems that existed before', () => {
  expect(problemsOf(lots(), move(lots(), [1.2 * u, 1.1 * u]), always)).toEqual([])
  const graph = lots()
  move(graph, [1.2 * u, u], 'a')
  const elsewhere = moveCorner(graph, cornerKey([0, 0]), [0, -0.1 * u])
  graph.apply(elsewhere)
  expect(problemsOf(graph, elsewhere, always)).toEqual([])
})

it('names corners of neighbors that are nearly equal, and marks both', () => {
  const near = [1.000001 * u, u]
  const { coordinates } = square(1, 0) as { coordinates: Position[][] }
  const ring = coordinates[0]?.map((corner) => (cornerKey(corner) === cornerKey([u, u]) ? near : corner))
  const graph = new ShapeGraph([
    lots().shape('a'),
    { id: 'b', name: 'Lot B', geometry: { type: 'Polygon', coordinates: [ring] } as Geometry },
  ])
  const [problem, ...others] = problemsOfShape(graph, graph.shape('a'), always)
  expect(others).toEqual([])
  expect(problem).toMatchObject({ class: 'near-corners', ids: ['a', 'b'] })
  expect(problem?.geometry).toMatchObject({ type: 'MultiPoint', coordinates: expect.arrayContaining([near]) })
})
