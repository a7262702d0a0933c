import { cornerKey, pathsOf } from '#domain/geometry/borders/corners.ts'
import { edgesOf, type Shape, type ShapeEdit, type ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import { type Box, boxOfSegment } from '#domain/geometry/segments.ts'
import { meetsBox } from '#domain/land-check/border-network.ts'
import { boxOf, findProblemsInWindow, wholeProblem } from '#domain/land-check/find-land-problems.ts'
import type { LandProblem } from '#domain/land-check/land-problem.ts'

/** Checking more would delay the page. */
const [maxShapes, maxCorners] = [400, 60_000]
/** Degrees around changed corners: about 10 m. */
const margin = 1e-4
const maxWindows = 20

/** The part of the box whose shapes are all in the graph: without neighbors, there seem to be gaps. */
type LoadedPart = (box: Box) => Box | null

/** The problems around the changes that did not exist before, in places where the neighbors are loaded. */
export function problemsOf(graph: ShapeGraph, changes: ShapeEdit, loadedPart: LoadedPart): LandProblem[] {
  const windows = changedBoxes(changes)
    .map(loadedPart)
    .filter((window) => window !== null)
    .slice(0, maxWindows)
  const found = () =>
    new Map(windows.flatMap((window) => problemsIn(graph, window)).map((one) => [one.key, one]))
  const after = found()
  if (after.size === 0) return []
  graph.revert(changes)
  const before = found()
  graph.apply(changes)
  return [...after.values()]
    .filter(({ key, ids }) => !before.has(key) && ids.some((id) => changes.has(id)))
    .map((problem) => wholeProblem(graph, problem))
}

/** The problems of a shape with its neighbors. None if these are too many to check while editing. */
export function problemsOfShape(
  graph: ShapeGraph,
  { id, geometry }: Shape,
  loadedPart: LoadedPart,
): LandProblem[] {
  const window = loadedPart(boxOf(geometry))
  const found = (window ? problemsIn(graph, window) : []).filter(({ ids }) => ids.includes(id))
  return found.map((problem) => wholeProblem(graph, problem))
}

function problemsIn(graph: ShapeGraph, window: Box): LandProblem[] {
  const shapes = [...graph.idsInBox(window)].map((id) => graph.shape(id))
  const corners = shapes.reduce(
    (sum, { geometry }) => sum + pathsOf(geometry).reduce((all, path) => all + path.corners.length, 0),
    0,
  )
  return shapes.length > maxShapes || corners > maxCorners ? [] : findProblemsInWindow(shapes, window)
}

/** Around the edges that differ: they may cross land far from the corners that moved. Joined where they meet. */
function changedBoxes(changes: ShapeEdit): Box[] {
  const boxes: Box[] = []
  for (const { before, after } of changes.values()) {
    const [was, is] = [edgesByKey(before), edgesByKey(after)]
    const changed = [
      ...[...was].flatMap(([key, edge]) => (is.has(key) ? [] : [edge])),
      ...[...is].flatMap(([key, edge]) => (was.has(key) ? [] : [edge])),
    ]
    let box = changed
      .map(boxOfSegment)
      .reduce<Box | null>((all, one) => (all ? joinBoxes(all, one) : one), null)
    if (!box) continue
    box = [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin]
    for (let index = boxes.length - 1; index >= 0; index--) {
      const other = boxes[index] as Box
      if (!meetsBox(box, other)) continue
      box = joinBoxes(box, other)
      boxes.splice(index, 1)
    }
    boxes.push(box)
  }
  return boxes
}

const joinBoxes = (one: Box, other: Box): Box => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
  Math.max(one[2], other[2]),
  Math.max(one[3], other[3]),
]

const edgesByKey = (shape: Shape | null) =>
  new Map(
    (shape ? edgesOf(shape) : []).map((edge) => [
      [edge.from, edge.to].map(cornerKey).sort().join(' to '),
      edge,
    ]),
  )
