import Flatbush from 'flatbush'
import type { Geometry, Position } from '../geometry.schema.ts'
import { extentOfGeometry } from '../measure-geometry.ts'
import { type Box, boxOfSegment, type Segment } from '../segments.ts'
import { type CornerKey, cornerKey, edgeTolerance, pathsOf } from './corners.ts'

export type Shape = { readonly id: string; readonly name: string; readonly geometry: Geometry }

/** Null before a shape is added, and after it is removed. */
export type ShapeEdit = ReadonlyMap<string, { before: Shape | null; after: Shape | null }>

/** The effect of both, one after the other. */
export function combineEdits(first: ShapeEdit, second: ShapeEdit): ShapeEdit {
  const combined = new Map(first)
  for (const [id, { before, after }] of second)
    combined.set(id, { before: first.has(id) ? (first.get(id)?.before ?? null) : before, after })
  return combined
}

/** The effect of several edits, each of which is based on the state after the one before. */
export function editsInTurn(graph: ShapeGraph, edits: readonly (() => ShapeEdit)[]): ShapeEdit {
  let combined: ShapeEdit = new Map()
  try {
    for (const make of edits) {
      const edit = make()
      graph.apply(edit)
      combined = combineEdits(combined, edit)
    }
  } finally {
    graph.revert(combined)
  }
  return combined
}

export type Edge = Segment<Position> & { id: string; path: number; index: number }

/** An operation that would damage a shape. The message is shown to the user. */
export class ShapeRefusal extends Error {}

/**
 * Shapes of one layer, such as parcels, that share corners and edges. Operations return edits, which the graph applies
 * and reverts.
 */
export class ShapeGraph {
  private readonly shapes = new Map<string, Shape>()
  private readonly idsAt = new Map<CornerKey, Set<string>>()
  private readonly edgeIndexes = new Map<string, EdgeIndex>()
  private boxes: { ids: readonly string[]; index: Flatbush | null } | null = null
  /** Shapes that changed after `boxes` was built. */
  private readonly unboxed = new Set<string>()

  constructor(shapes: Iterable<Shape> = []) {
    for (const shape of shapes) this.put(shape)
  }

  get(id: string): Shape | undefined {
    return this.shapes.get(id)
  }

  all(): Iterable<Shape> {
    return this.shapes.values()
  }

  /** Throws a ShapeRefusal if the shape is not loaded. */
  shape(id: string): Shape {
    const shape = this.shapes.get(id)
    if (!shape) throw new ShapeRefusal('This shape is not loaded.')
    return shape
  }

  idsWith(corner: CornerKey): ReadonlySet<string> {
    return this.idsAt.get(corner) ?? new Set()
  }

  /** Edges whose boxes meet the box. */
  edgesInBox(box: Box): Edge[] {
    return [...this.idsInBox(box)].flatMap((id) => this.edgesOfShape(id).inBox(box))
  }

  edgesNear([x, y]: Position, distance: number): Edge[] {
    return this.edgesInBox([x - distance, y - distance, x + distance, y + distance])
  }

  /** Shapes with an edge that contains the position, except at its ends. */
  idsThrough(position: Position): string[] {
    const through = this.edgesNear(position, edgeTolerance).filter((edge) => isOnEdge(position, edge))
    return [...new Set(through.map(({ id }) => id))]
  }

  /** Corners of some shapes that lie on an edge without being its ends. */
  cornersOn(edge: Segment<Position>, isCounted: (id: string) => boolean): Position[] {
    const [west, south, east, north] = boxOfSegment(edge)
    const tolerance = edgeTolerance
    return this.edgesInBox([west - tolerance, south - tolerance, east + tolerance, north + tolerance])
      .filter(({ id }) => isCounted(id))
      .flatMap(({ from, to }) => [from, to])
      .filter((corner) => isOnEdge(corner, edge))
  }

  apply(edit: ShapeEdit) {
    for (const [id, { after }] of edit) this.replace(id, after)
  }

  revert(edit: ShapeEdit) {
    for (const [id, { before }] of edit) this.replace(id, before)
  }

  private replace(id: string, next: Shape | null) {
    const current = this.shapes.get(id)
    for (const { corners } of current ? pathsOf(current.geometry) : [])
      for (const corner of corners) {
        const key = cornerKey(corner)
        const ids = this.idsAt.get(key)
        ids?.delete(id)
        if (ids?.size === 0) this.idsAt.delete(key)
      }
    this.shapes.delete(id)
    this.edgeIndexes.delete(id)
    this.unboxed.add(id)
    if (next) this.put(next)
  }

  private put(shape: Shape) {
    this.shapes.set(shape.id, shape)
    this.unboxed.add(shape.id)
    for (const { corners } of pathsOf(shape.geometry))
      for (const corner of corners) {
        const key = cornerKey(corner)
        const ids = this.idsAt.get(key)
        if (ids) ids.add(shape.id)
        else this.idsAt.set(key, new Set([shape.id]))
      }
  }

  /** Shapes whose boxes may meet the box. */
  idsInBox(box: Box): Set<string> {
    if (!this.boxes || this.unboxed.size > maxUnboxed) this.boxes = this.indexBoxes()
    const { ids, index } = this.boxes
    const found = (index?.search(...box) ?? []).map((at) => ids[at] as string)
    return new Set([...found, ...this.unboxed].filter((id) => this.shapes.has(id)))
  }

  private indexBoxes() {
    const ids = [...this.shapes.keys()]
    const index = ids.length > 0 ? new Flatbush(ids.length) : null
    for (const { geometry } of this.shapes.values()) {
      const { west, south, east, north } = extentOfGeometry(geometry)
      index?.add(west, south, east, north)
    }
    index?.finish()
    this.unboxed.clear()
    return { ids, index }
  }

  private edgesOfShape(id: string): EdgeIndex {
    const index = this.edgeIndexes.get(id) ?? new EdgeIndex(edgesOf(this.shape(id)))
    this.edgeIndexes.set(id, index)
    return index
  }
}

const maxUnboxed = 100

class EdgeIndex {
  private readonly edges: readonly Edge[]
  private readonly index: Flatbush | null

  constructor(edges: readonly Edge[]) {
    this.edges = edges
    this.index = edges.length > 0 ? new Flatbush(edges.length) : null
    for (const edge of edges) this.index?.add(...boxOfSegment(edge))
    this.index?.finish()
  }

  inBox(box: Box): Edge[] {
    return (this.index?.search(...box) ?? []).map((at) => this.edges[at] as Edge)
  }
}

/** None for points. */
export function edgesOf({ id, geometry }: Pick<Shape, 'id' | 'geometry'>): Edge[] {
  if (geometry.type === 'Point' || geometry.type === 'MultiPoint') return []
  return pathsOf(geometry).flatMap(({ corners, isRing }, path) => {
    const count = isRing ? corners.length : corners.length - 1
    return Array.from({ length: count }, (_, index) => ({
      id,
      path,
      index,
      from: corners[index] as Position,
      to: corners[(index + 1) % corners.length] as Position,
    }))
  })
}

/** Except at its ends, and at corners that are nearly equal to them. */
export function isOnEdge(position: Position, edge: Segment<Position>): boolean {
  const [x, y] = position
  const { from, to } = edge
  if (x < Math.min(from[0], to[0]) - edgeTolerance || x > Math.max(from[0], to[0]) + edgeTolerance)
    return false
  if (y < Math.min(from[1], to[1]) - edgeTolerance || y > Math.max(from[1], to[1]) + edgeTolerance)
    return false
  if ([from, to].some((end) => Math.hypot(x - end[0], y - end[1]) <= edgeTolerance)) return false
  return distanceToEdge(position, edge) <= edgeTolerance
}

/** In degrees, without regard to latitude: only for distances close to zero. */
export function distanceToEdge(position: Position, { from, to }: Segment<Position>): number {
  const [x, y] = placeOnEdge(position, { from, to })
  return Math.hypot(position[0] - x, position[1] - y)
}

/** The closest position of the edge. `squeeze` is the width of a degree of longitude relative to one of latitude. */
export function placeOnEdge(
  [x, y]: Position,
  { from, to }: Segment<Position>,
  squeeze = 1,
): [number, number] {
  const [dx, dy] = [(to[0] - from[0]) * squeeze, to[1] - from[1]]
  const length = dx * dx + dy * dy
  if (length === 0) return [from[0], from[1]]
  const share = ((x - from[0]) * squeeze * dx + (y - from[1]) * dy) / length
  const within = Math.min(1, Math.max(0, share))
  return [from[0] + (to[0] - from[0]) * within, from[1] + (to[1] - from[1]) * within]
}
