import { cornerKey, pathsOf } from '#domain/geometry/borders/corners.ts'
import { edgesOf, type Shape, type ShapeEdit, type ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { findProblemsInWindow, overlapOf } from '#domain/land-check/find-land-problems.ts'
import { type LandProblem, squareMetersOf } from '#domain/land-check/land-problem.ts'
import { formatArea, formatDistance, readersUnits } from '#web/ui/measures.ts'
import { nameOf } from './shape-words.ts'

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
  return found.map((problem) => wholeOverlap(graph, problem))
}

/** Not only the part near the change. */
function wholeOverlap(graph: ShapeGraph, problem: LandProblem): LandProblem {
  const [one, other] = problem.ids.map((id) => graph.shape(id))
  const geometry = problem.class === 'overlap' && one && other ? overlapOf(one, other) : null
  return geometry ? { ...problem, geometry, size: squareMetersOf(geometry) } : problem
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

export type Remedy = { label: string /** Keeps the common land. */; keeper?: string }

/** In words, with the ways to fix it. */
export function describeProblem(
  graph: ShapeGraph,
  problem: LandProblem,
): { text: string; remedies: Remedy[] } {
  const [one = 'A record', other = one] = problem.ids.map((id) => nameOf(graph.shape(id)))
  const area = formatArea(problem.size, readersUnits())
  const length = formatDistance(problem.size, readersUnits())
  switch (problem.class) {
    case 'overlap':
      return {
        text: `${one} overlaps ${other} by ${area}`,
        remedies: problem.ids.map((keeper) => ({ label: `Give to ${nameOf(graph.shape(keeper))}`, keeper })),
      }
    case 'gap':
      return { text: `Gap of ${area} beside ${one}`, remedies: [{ label: 'Close gap' }] }
    case 'near-corners':
      return {
        text: `Corners of ${one} and ${other} are ${length} apart`,
        remedies: [{ label: 'Join corners' }],
      }
    case 'missing-corner':
      return { text: `A corner is missing on a border of ${one}`, remedies: [{ label: 'Add corner' }] }
    case 'spike':
      return { text: `${one} has a spike`, remedies: [{ label: 'Remove spike' }] }
    case 'self-intersection':
      return { text: `The border of ${one} crosses itself`, remedies: [{ label: 'Divide' }] }
  }
}
