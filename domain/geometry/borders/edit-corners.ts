import type { Geometry, Position } from '../geometry.schema.ts'
import { type CornerKey, cornerKey, mapPaths, type Path, roundPosition } from './corners.ts'
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
export function moveCorner(
  graph: ShapeGraph,
  corner: CornerKey,
  target: Position,
  { only }: Scope = {},
): ShapeEdit {
  const to = roundPosition(target)
  const draft = new Draft(graph)
  const position = positionOf(corner)
  if (only === undefined) draft.insert(graph.idsThrough(position), position)
  for (const id of only === undefined ? [...graph.idsWith(corner), ...draft.changedIds()] : [only])
    draft.change(id, (path) => {
      const changed = path.corners.map((one): Position => {
        if (cornerKey(one) !== corner) return one
        const [, , ...rest] = one
        return [to[0], to[1], ...rest]
      })
      return withoutRepeats({ ...path, corners: changed })
    })
  const moved = draft.changedIds()
  if (only === undefined)
    draft.insert(
      graph.idsThrough(to).filter((id) => !moved.has(id)),
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
  const ids = only === undefined ? [...graph.idsWith(corner)] : [only]
  if (only === undefined && ids.length > 1 && isJunction(graph, ids, corner))
    throw new ShapeRefusal('Borders meet at this corner. Deleting it would leave a gap. Move it instead.')
  const draft = new Draft(graph)
  for (const id of ids)
    draft.change(id, (path) =>
      withoutRepeats({ ...path, corners: path.corners.filter((one) => cornerKey(one) !== corner) }),
    )
  return draft.finish()
}

/** Whether the shapes leave the corner in different directions. */
function isJunction(graph: ShapeGraph, ids: readonly string[], corner: CornerKey): boolean {
  const ways = new Set<string>()
  for (const id of ids)
    mapPaths(graph.shape(id).geometry, ({ corners, isRing }) => {
      for (const [index, one] of corners.entries()) {
        if (cornerKey(one) !== corner) continue
        const around = [
          corners.at(isRing ? index - 1 : index - 1 < 0 ? corners.length : index - 1),
          corners[isRing ? (index + 1) % corners.length : index + 1],
        ]
        ways.add(
          around
            .map((next) => (next ? cornerKey(next) : ''))
            .sort()
            .join(' to '),
        )
      }
      return corners
    })
  return ways.size > 1
}

const positionOf = (corner: CornerKey) => corner.split(' ').map(Number) as unknown as Position

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
    return corners.length === 1 || !next || cornerKey(corner) !== cornerKey(next)
  })
  return rest.length === corners.length ? corners : rest
}
