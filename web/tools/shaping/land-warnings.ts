import { cornerKey, pathsOf } from '#domain/geometry/borders/corners.ts'
import { edgesOf, type Shape, type ShapeEdit, type ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { boxOf, findProblemsInWindow, wholeProblem } from '#domain/land-check/find-land-problems.ts'
import type { LandProblem } from '#domain/land-check/land-problem.ts'

/** Checking more would delay the page. */
const [maxShapes, maxCorners] = [400, 60_000]
/** Degrees around changed corners: about 10 m. */
const margin = 1e-4

/** The problems around the changes that did not exist before. */
export function problemsOf(graph: ShapeGraph, changes: ShapeEdit): LandProblem[] {
  const window = changedBox(changes)
  if (!window) return []
  const after = problemsIn(graph, window)
  if (after.length === 0) return []
  graph.revert(changes)
  const before = new Set(problemsIn(graph, window).map(({ key }) => key))
  graph.apply(changes)
  const found = after.filter(({ key, ids }) => !before.has(key) && ids.some((id) => changes.has(id)))
  return found.map((problem) => wholeProblem(graph, problem))
}

/** The problems of a shape with its neighbors. None if these are too many to check while editing. */
export function problemsOfShape(graph: ShapeGraph, { id, geometry }: Shape): LandProblem[] {
  const found = problemsIn(graph, boxOf(geometry)).filter(({ ids }) => ids.includes(id))
  return found.map((problem) => wholeProblem(graph, problem))
}

function problemsIn(graph: ShapeGraph, window: readonly [number, number, number, number]): LandProblem[] {
  const shapes = [...graph.idsInBox(window)].map((id) => graph.shape(id))
  const corners = shapes.reduce(
    (sum, { geometry }) => sum + pathsOf(geometry).reduce((all, path) => all + path.corners.length, 0),
    0,
  )
  return shapes.length > maxShapes || corners > maxCorners ? [] : findProblemsInWindow(shapes, window)
}

/** Around all edges that differ: they may cross land far from the corners that moved. */
function changedBox(changes: ShapeEdit): readonly [number, number, number, number] | null {
  const changed: Position[] = []
  for (const { before, after } of changes.values()) {
    const [was, is] = [edgesByKey(before), edgesByKey(after)]
    for (const [key, { from, to }] of was) if (!is.has(key)) changed.push(from, to)
    for (const [key, { from, to }] of is) if (!was.has(key)) changed.push(from, to)
  }
  if (changed.length === 0) return null
  const [lngs, lats] = [changed.map(([lng]) => lng), changed.map(([, lat]) => lat)]
  const least = (values: readonly number[]) => values.reduce((one, other) => Math.min(one, other)) - margin
  const most = (values: readonly number[]) => values.reduce((one, other) => Math.max(one, other)) + margin
  return [least(lngs), least(lats), most(lngs), most(lats)]
}

const edgesByKey = (shape: Shape | null) =>
  new Map(
    (shape ? edgesOf(shape) : []).map((edge) => [
      [edge.from, edge.to].map(cornerKey).sort().join(' to '),
      edge,
    ]),
  )
