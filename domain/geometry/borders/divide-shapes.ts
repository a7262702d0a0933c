import { covers } from '../covers.ts'
import type { Geometry, Position } from '../geometry.schema.ts'
import { polygonsOfGeometry } from '../measure-geometry.ts'
import { meetingOf, type Segment } from '../segments.ts'
import { cornerKey, edgeTolerance, pathsOf, roundPosition } from './corners.ts'
import { Draft } from './edit-corners.ts'
import {
  distanceToEdge,
  edgesOf,
  isOnEdge,
  type Shape,
  type ShapeEdit,
  type ShapeGraph,
  ShapeRefusal,
} from './shape-graph.ts'
import {
  type DirectedEdge,
  directedEdges,
  edgeKey,
  geometryOfAreas,
  type Polygon,
  planarArea,
  traceAreas,
} from './trace-areas.ts'

// Splits and merges areas exactly: borders that shapes share stay equal, and no area is lost.

/** Share of an area that rounding may change. */
const areaTolerance = 1e-9
/** Moving a corner by the rounding changes an area by up to this times its edges' length. */
const areaRounding = 1e-9

/**
 * Merges areas that share borders into the first one, and removes the others. Throws a ShapeRefusal if they do not
 * touch or if they overlap.
 */
export function mergeShapes(graph: ShapeGraph, ids: readonly string[]): ShapeEdit {
  const shapes = ids.map((id) => graph.shape(id))
  const [first] = shapes
  if (!first || shapes.length < 2) throw new ShapeRefusal('Select at least two records to merge.')
  if (shapes.some(({ geometry }) => !isArea(geometry))) throw new ShapeRefusal('Only areas can be merged.')
  const edges = new Map<string, DirectedEdge>()
  for (const shape of shapes)
    for (const edge of nodedEdges(graph, shape, ids)) {
      const opposite = edgeKey({ from: edge.to, to: edge.from })
      if (edges.has(edgeKey(edge)))
        throw new ShapeRefusal(`${shape.name} overlaps another one. Fix that first.`)
      if (!edges.delete(opposite)) edges.set(edgeKey(edge), edge)
    }
  const geometry = geometryOfAreas(traceAreas([...edges.values()]))
  const before = shapes.reduce((sum, shape) => sum + planarArea(shape.geometry), 0)
  requireSameArea(before, planarArea(geometry), [...edges.values()])
  if (
    countAreas(geometry) >
    1 - shapes.length + shapes.reduce((sum, shape) => sum + countAreas(shape.geometry), 0)
  )
    throw new ShapeRefusal(apartWords(graph, shapes))
  return new Map<string, { before: Shape | null; after: Shape | null }>([
    [first.id, { before: first, after: { ...first, geometry } }],
    ...shapes.slice(1).map((shape) => [shape.id, { before: shape, after: null }] as const),
  ])
}

function apartWords(graph: ShapeGraph, shapes: readonly Shape[]): string {
  const [one, other] = shapes
  if (!one || !other || shapes.length > 2)
    return 'Some of these records do not share a border with the others.'
  const names = `${one.name || 'Untitled'} and ${other.name || 'Untitled'}`
  return hasCornerOn(graph, one, other) || hasCornerOn(graph, other, one)
    ? `${names} only touch at a corner.`
    : `${names} do not touch.`
}

const hasCornerOn = (graph: ShapeGraph, { geometry }: Shape, { id }: Shape) =>
  pathsOf(geometry).some(({ corners }) =>
    corners.some(
      (corner) => graph.idsWith(cornerKey(corner)).has(id) || graph.idsThrough(corner).includes(id),
    ),
  )

/** Edges that end at each corner of the others that lies on them. */
function nodedEdges(graph: ShapeGraph, shape: Shape, ids: readonly string[]): DirectedEdge[] {
  return directedEdges(shape.geometry).flatMap((edge) => {
    const nodes = graph.cornersOn(edge, (id) => id !== shape.id && ids.includes(id))
    return nodes.length === 0 ? [edge] : cutEdge(edge, nodes)
  })
}

/** A line with the nodes that lie on it. */
export function cutPath(path: readonly Position[], nodes: readonly Position[]): Position[] {
  const edges = cutEdges(segmentsOf(path), nodes)
  return [...edges.map(({ from }) => from), path.at(-1) as Position]
}

/** Ends edges at each of the nodes that lies on them. */
export const cutEdges = (edges: readonly DirectedEdge[], nodes: readonly Position[]): DirectedEdge[] =>
  edges.flatMap((edge) =>
    cutEdge(
      edge,
      nodes.filter((node) => isOnEdge(node, edge)),
    ),
  )

function cutEdge(edge: Segment<Position>, nodes: readonly Position[]): DirectedEdge[] {
  const distance = ([x, y]: Position) => Math.hypot(x - edge.from[0], y - edge.from[1])
  const sorted = nodes.toSorted((one, other) => distance(one) - distance(other))
  const stops = [edge.from, ...sorted, edge.to]
  return stops
    .slice(1)
    .map((to, index) => ({ from: stops[index] as Position, to }))
    .filter(({ from, to }) => cornerKey(from) !== cornerKey(to))
}

export type Split = {
  /** The shape keeps the largest piece; its new corners are inserted into neighbors. */
  edit: ShapeEdit
  /** The other pieces, the largest first. */
  pieces: Geometry[]
}

/** Splits an area by a line. Throws a ShapeRefusal unless the line crosses it from border to border. */
export function splitShape(graph: ShapeGraph, id: string, line: readonly Position[]): Split {
  const shape = graph.shape(id)
  if (!isArea(shape.geometry)) throw new ShapeRefusal('Only areas can be split.')
  const path = line.map(roundPosition)
  const cuts = findCuts(shape, path)
  const border = cutEdges(directedEdges(shape.geometry), cuts)
  const dividing = withoutDangles(borderOf(border), dividingEdges(shape.geometry, border, path, cuts))
  const areas = traceAreas([
    ...border,
    ...dividing.flatMap((edge) => [edge, { from: edge.to, to: edge.from }]),
  ])
  const wholes = polygonsOfGeometry(shape.geometry).length
  if (areas.length <= wholes)
    throw new ShapeRefusal(`The line must cross ${shape.name} from one border to another.`)
  const bySize = areas.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  const sum = areas.reduce((all, area) => all + sizeOf(area), 0)
  requireSameArea(planarArea(shape.geometry), sum, border)
  // Parts that the line does not cross stay with the shape.
  const isNew = (area: Polygon) =>
    area.some((ring) => ring.slice(1).some((to, at) => isDividing({ from: ring[at] as Position, to })))
  const divided = new Set(
    dividing.flatMap((edge) => [edgeKey(edge), edgeKey({ from: edge.to, to: edge.from })]),
  )
  const isDividing = (edge: DirectedEdge) => divided.has(edgeKey(edge))
  const [largest, ...others] = bySize.filter(isNew)
  const draft = new Draft(graph)
  for (const cut of cuts)
    draft.insert(
      graph.idsThrough(cut).filter((one) => one !== id),
      cut,
    )
  draft.set({
    ...shape,
    geometry: geometryOfAreas([largest as Polygon, ...bySize.filter((area) => !isNew(area))]),
  })
  return { edit: draft.finish(), pieces: others.map((area) => geometryOfAreas([area])) }
}

/** Where the line meets the border. Each place is rounded once, and then used by all shapes. */
export function findCuts({ id, geometry }: Shape, path: readonly Position[]): Position[] {
  const cuts = new Map<string, Position>()
  const edges = edgesOf({ id, geometry })
  for (const segment of segmentsOf(path)) {
    for (const edge of edges) {
      const meeting = meetingOf<Position>(segment, edge)
      const ends = [segment.from, segment.to].filter((end) => distanceToEdge(end, edge) <= edgeTolerance)
      const corners = [edge.from, edge.to].filter(
        (corner) => distanceToEdge(corner, segment) <= edgeTolerance,
      )
      const found =
        ends.length + corners.length > 0 ? [...ends, ...corners] : meeting ? [meeting.at as Position] : []
      for (const position of found) {
        const cut = roundPosition(position)
        cuts.set(cornerKey(cut), cut)
      }
    }
  }
  return [...cuts.values()]
}

function dividingEdges(
  area: Geometry,
  border: readonly DirectedEdge[],
  path: readonly Position[],
  cuts: readonly Position[],
): DirectedEdge[] {
  const onBorder = borderOf(border)
  const edges = new Map<string, DirectedEdge>()
  for (const segment of segmentsOf(path)) {
    const nodes = cuts.filter((cut) => distanceToEdge(cut, segment) <= edgeTolerance)
    for (const edge of cutEdge(segment, nodes)) {
      const back = edgeKey({ from: edge.to, to: edge.from })
      if (onBorder.edges.has(edgeKey(edge)) || onBorder.edges.has(back) || edges.has(back)) continue
      const middle: Position = [(edge.from[0] + edge.to[0]) / 2, (edge.from[1] + edge.to[1]) / 2]
      if (covers(area, middle)) edges.set(edgeKey(edge), edge)
    }
  }
  const all = [...edges.values()]
  for (const [index, edge] of all.entries())
    for (const other of all.slice(index + 1))
      if (meetingOf(edge, other)?.how === 'cross') throw new ShapeRefusal('The line must not cross itself.')
  return all
}

type Border = { edges: ReadonlySet<string>; corners: ReadonlySet<string> }

const borderOf = (edges: readonly DirectedEdge[]): Border => ({
  edges: new Set(edges.map(edgeKey)),
  corners: new Set(edges.map(({ from }) => cornerKey(from))),
})

/** Removes pieces of the line that end inside the area. */
function withoutDangles({ corners }: Border, edges: readonly DirectedEdge[]): DirectedEdge[] {
  let rest = [...edges]
  for (;;) {
    const degrees = new Map<string, number>()
    for (const edge of rest)
      for (const end of [edge.from, edge.to])
        degrees.set(cornerKey(end), (degrees.get(cornerKey(end)) ?? 0) + 1)
    const isLoose = (end: Position) => !corners.has(cornerKey(end)) && degrees.get(cornerKey(end)) === 1
    const next = rest.filter(({ from, to }) => !isLoose(from) && !isLoose(to))
    if (next.length === rest.length) return rest
    rest = next
  }
}

const segmentsOf = (path: readonly Position[]): Segment<Position>[] =>
  path.slice(1).map((to, index) => ({ from: path[index] as Position, to }))

const isArea = (geometry: Geometry) => polygonsOfGeometry(geometry).length > 0
const countAreas = (geometry: Geometry) => polygonsOfGeometry(geometry).length
const sizeOf = (area: Polygon) => planarArea({ type: 'Polygon', coordinates: area })

export function requireSameArea(before: number, after: number, edges: readonly DirectedEdge[]) {
  const length = edges.reduce((sum, { from, to }) => sum + Math.hypot(to[0] - from[0], to[1] - from[1]), 0)
  if (Math.abs(before - after) > before * areaTolerance + length * areaRounding)
    throw new ShapeRefusal('The areas do not add up, because borders cross or overlap. Fix these first.')
}
