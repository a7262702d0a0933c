import {
  type CornerKey,
  cornerKey,
  isSameCorner,
  pathsOf,
  positionOfCorner,
  roundPosition,
} from '#domain/geometry/borders/corners.ts'
import type { Shape, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import { covers } from '#domain/geometry/covers.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'

export type Handle = {
  role: 'own' | 'shared' | 'midpoint'
  position: Position
  /** Of a corner; null for a midpoint. */
  corner: CornerKey | null
}

const maxHandles = 2_000

type Extent = { west: number; south: number; east: number; north: number }

/** The corners and midpoints of a shape within the extent; null if there are too many. */
export function handlesOf(graph: ShapeGraph, shape: Shape, extent: Extent): Handle[] | null {
  const isInView = ([lng, lat]: Position) =>
    lng >= extent.west && lng <= extent.east && lat >= extent.south && lat <= extent.north
  const handles: Handle[] = []
  for (const { corners, isRing } of pathsOf(shape.geometry))
    for (const [index, position] of corners.entries()) {
      if (isInView(position)) {
        const corner = cornerKey(position)
        handles.push({ role: graph.idsWith(corner).size > 1 ? 'shared' : 'own', position, corner })
      }
      const next = corners[isRing ? (index + 1) % corners.length : index + 1]
      if (!next || corners.length < 2) continue
      const middle = roundPosition([(position[0] + next[0]) / 2, (position[1] + next[1]) / 2])
      if (isInView(middle)) handles.push({ role: 'midpoint', position: middle, corner: null })
    }
  if (handles.length <= maxHandles) return handles
  const corners = handles.filter(({ role }) => role !== 'midpoint')
  return corners.length <= maxHandles ? corners : null
}

export function shapeAt(graph: ShapeGraph, position: Position): string | undefined {
  const [lng, lat] = position
  return [...graph.idsInBox([lng, lat, lng, lat])].find((id) => covers(graph.shape(id).geometry, position))
}

/** The corners on both sides of a corner, each with the one beyond it. */
export function cornersAround(
  shape: Shape,
  corner: CornerKey,
): (readonly [Position, Position | undefined])[] {
  const position = positionOfCorner(corner)
  for (const { corners, isRing } of pathsOf(shape.geometry)) {
    const index = corners.findIndex((one) => isSameCorner(one, position))
    if (index === -1) continue
    const at = (offset: number) =>
      isRing ? corners.at((index + offset + corners.length) % corners.length) : corners[index + offset]
    return [-1, 1].flatMap((side) => {
      const adjacent = at(side)
      return adjacent ? [[adjacent, at(2 * side)] as const] : []
    })
  }
  return []
}
