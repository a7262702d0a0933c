import type { Geometry, Position } from '../geometry.schema.ts'
import {
  type CornerKey,
  cornerKey,
  edgeTolerance,
  isSameCorner,
  mapPaths,
  type Path,
  pathsOf,
  positionOfCorner,
  roundPosition,
} from './corners.ts'
import { isOnEdge, type Shape, type ShapeEdit, type ShapeGraph, ShapeRefusal } from './shape-graph.ts'

// Operations on corners. A shared corner changes in all shapes that have it, so that no gap or overlap arises.

/** A change of land that affects more records is refused. */
export const maxAffectedShapes = 500

type Scope = {
  /** Changes the corner in this shape only. */
  only?: string | undefined
}

/**
 * Moves a corner in each shape that has it. An edge that the corner lies on, before or after, gets the corner as well.
 * Throws a ShapeRefusal if a ring or line would collapse.
 */
export const moveCorner = (
  graph: ShapeGraph,
  corner: CornerKey,
  to: Position,
  scope: Scope = {},
): ShapeEdit => moveCorners(graph, new Map([[corner, to]]), scope)

/** Moves several corners at once. */
export function moveCorners(
  graph: ShapeGraph,
  moves: ReadonlyMap<CornerKey, Position>,
  { only }: Scope = {},
): ShapeEdit {
  const targets = new Map([...moves].map(([corner, to]) => [corner, roundPosition(to)]))
  const longitudes = new Set([...moves.keys()].map((corner) => positionOfCorner(corner)[0]))
  const draft = new Draft(graph)
  const ids = new Set(only === undefined ? [] : [only])
  if (only === undefined)
    for (const corner of targets.keys()) for (const id of draft.insertAround(corner)) ids.add(id)
  for (const id of ids)
    draft.change(id, (path) => {
      const changed = path.corners.map((one): Position => {
        // Rounding is faster than making a key.
        const to = longitudes.has(roundPosition(one)[0]) && targets.get(cornerKey(one))
        if (!to) return one
        const [, , ...rest] = one
        return [to[0], to[1], ...rest]
      })
      return withoutRepeats({ ...path, corners: changed })
    })
  if (only === undefined)
    for (const to of targets.values())
      draft.insert(
        graph.idsThrough(to).filter((id) => !ids.has(id)),
        to,
      )
  return draft.finish()
}

/** Inserts a corner on all edges that contain the position. Throws a ShapeRefusal if there are none. */
export function insertCorner(graph: ShapeGraph, position: Position): ShapeEdit {
  const at = roundPosition(position)
  const ids = graph.idsThrough(at)
  if (ids.length === 0) throw new ShapeRefusal('There is no edge here.')
  const draft = new Draft(graph)
  draft.insert(ids, at)
  return draft.finish()
}

/**
 * Removes a corner from each shape that has it. Throws a ShapeRefusal if a ring or line would collapse, or where
 * borders meet, as that would leave a gap.
 */
export function deleteCorner(graph: ShapeGraph, corner: CornerKey, { only }: Scope = {}): ShapeEdit {
  const draft = new Draft(graph)
  const position = positionOfCorner(corner)
  const ids = only === undefined ? draft.insertAround(corner) : [only]
  if (
    only === undefined &&
    isJunction(
      [...ids].map((id) => draft.shape(id)),
      corner,
    )
  )
    throw new ShapeRefusal('Borders meet at this corner. Deleting it would leave a gap. Move it instead.')
  for (const id of ids)
    draft.change(id, (path) =>
      withoutRepeats({ ...path, corners: path.corners.filter((one) => !isSameCorner(one, position)) }),
    )
  return draft.finish()
}

/** Whether the shapes leave the corner in different directions. */
function isJunction(shapes: readonly Shape[], corner: CornerKey): boolean {
  const ways = new Set<string>()
  for (const { geometry } of shapes)
    for (const { corners, isRing } of pathsOf(geometry))
      for (const [index, one] of corners.entries()) {
        if (cornerKey(one) !== corner) continue
        const [previous, next] = [
          isRing ? corners.at(index - 1) : corners[index - 1],
          corners[isRing ? (index + 1) % corners.length : index + 1],
        ]
        const keys = [previous, next].map((beside) => (beside ? cornerKey(beside) : ''))
        ways.add(keys.sort().join(' to '))
      }
  return ways.size > 1
}

/** Collects changes of shapes, based on the current state of the graph. */
export class Draft {
  private readonly graph: ShapeGraph
  private readonly changed = new Map<string, Shape>()

  constructor(graph: ShapeGraph) {
    this.graph = graph
  }

  shape(id: string): Shape {
    return this.changed.get(id) ?? this.graph.shape(id)
  }

  changedIds(): ReadonlySet<string> {
    return new Set(this.changed.keys())
  }

  change(id: string, change: (path: Path) => readonly Position[]) {
    const shape = this.shape(id)
    const geometry = mapPaths(shape.geometry, (path) => {
      const corners = change(path)
      const least = leastCorners(shape.geometry, path)
      if (corners.length < least) throw new ShapeRefusal(`${shape.name} needs at least ${least} corners.`)
      return corners
    })
    if (!geometry) throw new ShapeRefusal(`${shape.name} would have no shape left.`)
    this.set({ ...shape, geometry })
  }

  set(shape: Shape) {
    this.changed.set(shape.id, shape)
  }

  /**
   * Inserts the corner into edges that it lies on, and corners of others into the edges beside it, which turn with it.
   * Returns the shapes that have the corner then.
   */
  insertAround(corner: CornerKey): Set<string> {
    const position = positionOfCorner(corner)
    const through = this.graph.idsThrough(position)
    for (const edge of this.graph.edgesNear(position, edgeTolerance)) {
      const isBeside = [edge.from, edge.to].some((end) => cornerKey(end) === corner)
      if (!isBeside && !isOnEdge(position, edge)) continue
      for (const other of this.graph.cornersOn(edge, (id) => id !== edge.id)) this.insert([edge.id], other)
    }
    this.insert(through, position)
    return new Set([...this.graph.idsWith(corner), ...through])
  }

  /** Inserts the position into each edge of these shapes that it lies on. */
  insert(ids: Iterable<string>, position: Position) {
    for (const id of new Set(ids))
      this.change(id, ({ corners, isRing }) => {
        const changed = corners.flatMap((corner, index) => {
          const next = corners[isRing ? (index + 1) % corners.length : index + 1]
          return next && isOnEdge(position, { from: corner, to: next }) ? [corner, position] : [corner]
        })
        return changed.length === corners.length ? corners : changed
      })
  }

  finish(): ShapeEdit {
    if (this.changed.size > maxAffectedShapes)
      throw new ShapeRefusal(
        `This would change ${this.changed.size} records. At most ${maxAffectedShapes} can change at once.`,
      )
    return new Map(
      [...this.changed].map(([id, after]) => [id, { before: this.graph.get(id) ?? null, after }]),
    )
  }
}

function leastCorners(geometry: Geometry, { isRing }: Path): number {
  if (isRing) return 3
  return geometry.type === 'Point' || geometry.type === 'MultiPoint' ? 1 : 2
}

function withoutRepeats({ corners, isRing }: Path): readonly Position[] {
  const rest = corners.filter((corner, index) => {
    const next = corners[isRing ? (index + 1) % corners.length : index + 1]
    return corners.length === 1 || !next || !isSameCorner(corner, next)
  })
  return rest.length === corners.length ? corners : rest
}
