import {
  cornerKey,
  edgeTolerance,
  mapPaths,
  pathsOf,
  roundPosition,
} from '#domain/geometry/borders/corners.ts'
import { cutEdges, findCuts, requireSameArea } from '#domain/geometry/borders/divide-shapes.ts'
import { Draft, deleteCorner, insertCorner, moveCorner } from '#domain/geometry/borders/edit-corners.ts'
import {
  distanceToEdge,
  edgesOf,
  placeOnEdge,
  type Shape,
  type ShapeEdit,
  type ShapeGraph,
  ShapeRefusal,
} from '#domain/geometry/borders/shape-graph.ts'
import {
  type DirectedEdge,
  directedEdges,
  edgeKey,
  geometryOfAreas,
  planarArea,
} from '#domain/geometry/borders/trace-areas.ts'
import { findGeometryFault } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { partsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { metersBetween, scaleAt } from '#domain/geometry/scale.ts'
import { boxOfSegment, type Segment } from '#domain/geometry/segments.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { meetsBox, widened } from './border-network.ts'
import {
  boxOf,
  coversInside,
  findProblemsInWindow,
  middleOf,
  overlapOf,
  traceIndexed,
} from './find-land-problems.ts'
import { type LandProblem, type ProblemClass, problemClasses, squareMetersOf } from './land-problem.ts'

export type Fix = { edit: ShapeEdit; words: string }

/**
 * Proposes an edit that removes the problem and creates no other around it. If shapes overlap, `keeper` keeps the common
 * land; without it, the smaller shape, which would lose the greater share of its land. Does not change the graph.
 */
export function proposeFix(
  graph: ShapeGraph,
  problem: LandProblem,
  keeper?: string,
): Fix | { refused: string } {
  if (problem.ids.some((id) => !graph.get(id))) return { refused: 'A record of this problem was removed.' }
  let refused: string | undefined
  for (const propose of proposals[problem.class](graph, problem, keeper)) {
    try {
      const { edit, words } = propose()
      const exact = withSameDigits(graph, edit)
      requireFixed(graph, problem, exact)
      return { edit: exact, words }
    } catch (error) {
      if (!(error instanceof ShapeRefusal)) throw error
      refused ??= error.message
    }
  }
  return { refused: refused ?? 'There is no simple fix. Edit the border by hand.' }
}

type Proposals = (graph: ShapeGraph, problem: LandProblem, keeper?: string) => (() => Fix)[]

/** The best first. */
const proposals: Record<ProblemClass, Proposals> = {
  'near-corners': joinCorners,
  'missing-corner': addMissingCorner,
  overlap: (graph, { ids }, keeper) => {
    const shapes = ids
      .map((id) => graph.shape(id))
      .sort((one, other) => planarArea(one.geometry) - planarArea(other.geometry))
    return shapes
      .filter(({ id }) => keeper === undefined || keeper === id)
      .map((one) => () => cutOverlap(graph, one, shapes.find((shape) => shape !== one) as Shape))
  },
  gap: closeGap,
  'no-parcel': closeGap,
  spike: (graph, { ids, place }) =>
    [undefined, ...ids].map((only) => () => ({
      edit: deleteCorner(graph, cornerKey(place), { only }),
      words: 'Removes the corner of the spike.',
    })),
  'self-intersection': (graph, { ids: [id = ''] }) => [() => divideAtTouches(graph, graph.shape(id))],
}

const positionsOf = ({ geometry }: LandProblem) => (geometry ? partsOfGeometry(geometry).flat() : [])

/** Moves the corner that fewer shapes have. */
function joinCorners(graph: ShapeGraph, problem: LandProblem): (() => Fix)[] {
  const [one, other] = positionsOf(problem) as [Position, Position]
  const countAt = (corner: Position) => graph.idsWith(cornerKey(corner)).size
  const moves = [() => move(graph, one, other), () => move(graph, other, one)]
  return countAt(one) > countAt(other) ? moves.reverse() : moves
}

function move(graph: ShapeGraph, from: Position, to: Position): Fix {
  const edit = moveCorner(graph, cornerKey(from), to)
  const centimeters = metersBetween(from, to, scaleAt(to[1])) * 100
  const distance = centimeters < 0.1 ? 'less than 1 mm' : `${formatNumber(centimeters, 1)} cm`
  return { edit, words: `Moves a corner by ${distance} in ${counted(edit.size, 'record')}.` }
}

/** Moves the corner onto the edge, which remains straight. */
function addMissingCorner(graph: ShapeGraph, problem: LandProblem): (() => Fix)[] {
  const [from, to] = positionsOf(problem) as [Position, Position]
  const { place } = problem
  const [x, y] = scaleAt(place[1])
  if (distanceToEdge(place, { from, to }) > edgeTolerance)
    return [() => move(graph, place, roundPosition(placeOnEdge(place, { from, to }, x / y)))]
  const insert = () => insertCorner(graph, place)
  return [() => ({ edit: insert(), words: 'Adds the corner to the edge it lies on.' })]
}

/** The border of the keeper inside the other shape replaces that of the other shape inside the keeper. */
function cutOverlap(graph: ShapeGraph, keeper: Shape, other: Shape): Fix {
  const overlap = overlapOf(keeper, other)
  if (!overlap) throw new ShapeRefusal('The overlap cannot be calculated. Edit the border by hand.')
  if (planarArea(overlap) === 0) throw new ShapeRefusal(gone)
  if (planarArea(overlap) > planarArea(other.geometry) * 0.999)
    throw new ShapeRefusal(`${other.name} would have no land left. Remove it instead.`)
  const box = widened(boxOf(overlap), edgeTolerance)
  const isNear = (edge: Segment<Position>) => meetsBox(boxOfSegment(edge), box)
  const lines = (shape: Shape) =>
    edgesOf(shape)
      .filter(isNear)
      .map(({ from, to }) => [from, to])
  const near: Geometry = { type: 'MultiLineString', coordinates: lines(other) }
  const nodes = distinct(lines(keeper).flatMap((line) => findCuts({ ...other, geometry: near }, line)))
  const border = cutEdges(directedEdges(keeper.geometry), nodes)
  const old = cutEdges(directedEdges(other.geometry), nodes)
  const [borderKeys, oldKeys] = [new Set(border.map(edgeKey)), new Set(old.map(edgeKey))]
  const isIn = ({ geometry }: Shape, edge: DirectedEdge) =>
    isNear(edge) && coversInside(geometry, middleOf(edge))
  const isNew = (edge: DirectedEdge) => !oldKeys.has(edgeKey(edge)) && !oldKeys.has(edgeKey(reversed(edge)))
  const remains = (edge: DirectedEdge) =>
    borderKeys.has(edgeKey(reversed(edge))) || !(borderKeys.has(edgeKey(edge)) || isIn(keeper, edge))
  const inner = border.filter((edge) => isNew(edge) && isIn(other, edge)).map(reversed)
  const geometry = geometryOfAreas(traceIndexed([...old.filter(remains), ...inner]))
  requireSameArea(planarArea(other.geometry), planarArea(geometry) + planarArea(overlap), [...old, ...border])
  return {
    edit: replace(graph, { ...other, geometry }, nodes),
    words: `${keeper.name} keeps ${sizeOf(overlap)}, which ${other.name} loses.`,
  }
}

/** The shape with the longest border along the gap gets it. */
function closeGap(graph: ShapeGraph, { ids, geometry: gap }: LandProblem, keeper?: string): (() => Fix)[] {
  const border = gap ? directedEdges(gap) : []
  const nodes = border.map(({ from }) => from)
  const keys = new Set(border.map((edge) => edgeKey(reversed(edge))))
  const lengthOf = (edges: readonly DirectedEdge[]) =>
    edges.reduce((sum, { from, to }) => sum + metersBetween(from, to, scaleAt(to[1])), 0)
  return ids
    .filter((id) => keeper === undefined || keeper === id)
    .map((id) => graph.shape(id))
    .map((shape) => ({ shape, edges: cutEdges(directedEdges(shape.geometry), nodes) }))
    .map((side) => ({ ...side, length: lengthOf(side.edges.filter((edge) => keys.has(edgeKey(edge)))) }))
    .sort((one, other) => other.length - one.length)
    .map(({ shape, edges }) => () => {
      const geometry = geometryOfAreas(traceIndexed(withoutOpposites([...edges, ...border])))
      const size = planarArea(shape.geometry) + planarArea(gap as Geometry)
      requireSameArea(size, planarArea(geometry), edges)
      const words = `${shape.name} gets the ${sizeOf(gap as Geometry)} of land.`
      return { edit: replace(graph, { ...shape, geometry }, nodes), words }
    })
}

/** Exact where a border touches itself at a corner. */
function divideAtTouches(graph: ShapeGraph, shape: Shape): Fix {
  const edges = directedEdges(shape.geometry)
  const areas = traceIndexed(withoutOpposites(edges))
  if (areas.length === 0) throw new ShapeRefusal(`${shape.name} encloses no land. Draw its border again.`)
  const geometry = geometryOfAreas(areas)
  requireSameArea(planarArea(shape.geometry), planarArea(geometry), edges)
  return { edit: replace(graph, { ...shape, geometry }), words: 'Divides the shape where it touches itself.' }
}

const reversed = ({ from, to }: DirectedEdge): DirectedEdge => ({ from: to, to: from })

function withoutOpposites(edges: readonly DirectedEdge[]): DirectedEdge[] {
  const rest = new Map<string, DirectedEdge>()
  for (const edge of edges) if (!rest.delete(edgeKey(reversed(edge)))) rest.set(edgeKey(edge), edge)
  return [...rest.values()]
}

const distinct = (positions: readonly Position[]) => [
  ...new Map(positions.map((one) => [cornerKey(one), one])).values(),
]

/** Inserts those of the nodes that are corners of the shape into edges of others. */
function replace(graph: ShapeGraph, shape: Shape, added: readonly Position[] = []): ShapeEdit {
  const draft = new Draft(graph)
  const own = new Set(directedEdges(shape.geometry).map(({ from }) => cornerKey(from)))
  const nodes = added.filter((node) => own.has(cornerKey(node)))
  for (const node of nodes) draft.insert(graph.idsThrough(node), node)
  draft.set(shape)
  return draft.finish()
}

/** New corners get the digits of the shapes that have them already, so that all are equal to the last digit. */
function withSameDigits(graph: ShapeGraph, edit: ShapeEdit): ShapeEdit {
  const digitsAt = (corner: Position) =>
    graph
      .edgesNear(corner, edgeTolerance)
      .flatMap(({ from, to }) => [from, to])
      .find((end) => cornerKey(end) === cornerKey(corner)) ?? corner
  return new Map(
    [...edit].map(([id, { before, after }]) => {
      const own = new Set(before && pathsOf(before.geometry).flatMap(({ corners }) => corners.map(String)))
      const geometry =
        after &&
        mapPaths(after.geometry, ({ corners }) =>
          corners.map((one) => (own.has(String(one)) ? one : [...digitsAt(one)])),
        )
      return [id, { before, after: after && geometry && { ...after, geometry } }]
    }),
  )
}

/** Throws a ShapeRefusal unless the edit removes the problem and creates no other. */
function requireFixed(graph: ShapeGraph, problem: LandProblem, edit: ShapeEdit) {
  const changed = [...edit.values()].flatMap(({ before, after }) => changedEdges(before, after))
  const ends = changed.flatMap(({ from, to }) => [from, to])
  const coordinates = [...ends, problem.place, ...positionsOf(problem)]
  const window = widened(boxOf({ type: 'MultiPoint', coordinates }), windowMargin)
  const ids = [...new Set([...graph.idsInBox(window), ...edit.keys()])]
  const shapes = ids.flatMap((id) => graph.get(id) ?? [])
  const edited = ids.flatMap((id) => (edit.has(id) ? edit.get(id)?.after : graph.get(id)) ?? [])
  const isDamaged = ({ before, after }: { before: Shape | null; after: Shape | null }) =>
    after && findGeometryFault(after.geometry) && !(before && findGeometryFault(before.geometry))
  if ([...edit.values()].some(isDamaged))
    throw new ShapeRefusal('There is no simple fix. Edit the border by hand.')
  const before = findProblemsInWindow(shapes, window)
  const after = findProblemsInWindow(edited, window)
  if (!before.some(({ key }) => key === problem.key)) throw new ShapeRefusal(gone)
  if (after.some(({ key }) => key === problem.key))
    throw new ShapeRefusal('There is no simple fix. Edit the border by hand.')
  // Counts them, because other problems get another key if a corner moves.
  const excess = new Map(after.map((one) => [one.class, 0]))
  for (const one of after) excess.set(one.class, (excess.get(one.class) ?? 0) + 1)
  for (const one of before) excess.set(one.class, (excess.get(one.class) ?? 0) - 1)
  for (const [name, count] of excess)
    if (count > 0 || (name === problem.class && count === 0))
      throw new ShapeRefusal(`A fix would create ${problemClasses[name]} here. Edit the border by hand.`)
}

const gone = 'This problem no longer exists. Check the land again.'

/** Degrees: about a meter. */
const windowMargin = 1e-5

/** In either direction: tracing turns rings. */
function changedEdges(before: Shape | null, after: Shape | null): DirectedEdge[] {
  const edgesByKey = (shape: Shape | null) =>
    new Map(
      (shape ? edgesOf(shape) : []).map((edge) => [[edge.from, edge.to].map(cornerKey).sort().join(), edge]),
    )
  const [old, next] = [edgesByKey(before), edgesByKey(after)]
  const isChanged = ([key]: [string, DirectedEdge]) => !old.has(key) || !next.has(key)
  return [...old, ...next].filter(isChanged).map(([, edge]) => edge)
}

const sizeOf = (geometry: Geometry) => `${formatNumber(squareMetersOf(geometry), 2)} m²`
