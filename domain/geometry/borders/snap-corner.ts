import type { Position } from '../geometry.schema.ts'
import { type CornerKey, cornerKey, roundPosition } from './corners.ts'
import { placeOnEdge, type ShapeGraph } from './shape-graph.ts'

export type SnapKind = 'corner' | 'edge' | 'right angle' | 'extension' | 'parallel'

export type Snap = {
  to: Position
  kind: SnapKind
  /** Shape of the corner or edge. */
  id: string | null
}

type Snapping = {
  /** Degrees of latitude. */
  reach: number
  /** The dragged corner: its own edges are no targets. */
  corner: CornerKey | null
  /** On both sides, the adjacent corner and the one beyond it. */
  around: readonly (readonly [adjacent: Position, beyond: Position | undefined])[]
}

type Target = { to: [number, number]; kind: SnapKind; id: string | null }

/** The closest corner within reach, or else the closest edge, or else the closest guide line. */
export function snapCorner(graph: ShapeGraph, pointer: Position, snapping: Snapping): Snap | null {
  const { reach, corner } = snapping
  const squeeze = Math.cos((pointer[1] * Math.PI) / 180)
  const distance = ([x, y]: readonly number[]) =>
    Math.hypot(((x as number) - pointer[0]) * squeeze, (y as number) - pointer[1])
  const closest = (targets: readonly Target[]) => {
    let best: Target | null = null
    for (const target of targets)
      if (distance(target.to) <= reach && (!best || distance(target.to) < distance(best.to))) best = target
    return best && { ...best, to: roundPosition(best.to) }
  }
  const width = reach / Math.max(squeeze, 0.01)
  const edges = graph
    .edgesInBox([pointer[0] - width, pointer[1] - reach, pointer[0] + width, pointer[1] + reach])
    .filter(({ from, to }) => cornerKey(from) !== corner && cornerKey(to) !== corner)
  const corners = edges.flatMap(({ from, to, id }) =>
    [from, to].map(([lng, lat]): Target => ({ to: [lng, lat], kind: 'corner', id })),
  )
  return (
    closest(corners) ??
    closest(edges.map((edge) => ({ to: placeOnEdge(pointer, edge, squeeze), kind: 'edge', id: edge.id }))) ??
    closest(guideTargets(pointer, snapping, squeeze))
  )
}

type Guide = { through: Position; direction: [number, number]; kind: SnapKind }

function guideTargets(pointer: Position, { around }: Snapping, squeeze: number): Target[] {
  const guides = around.flatMap(([adjacent, beyond], index): Guide[] => {
    const [, opposite] = around[1 - index] ?? []
    const [otherAdjacent] = around[1 - index] ?? []
    const along = beyond && directionOf(beyond, adjacent, squeeze)
    const parallel = opposite && otherAdjacent && directionOf(opposite, otherAdjacent, squeeze)
    return [
      ...(along ? [{ through: adjacent, direction: along, kind: 'extension' as const }] : []),
      ...(along
        ? [
            {
              through: adjacent,
              direction: [-along[1], along[0]] as [number, number],
              kind: 'right angle' as const,
            },
          ]
        : []),
      ...(parallel ? [{ through: adjacent, direction: parallel, kind: 'parallel' as const }] : []),
    ]
  })
  return guides.map(({ through, direction, kind }) => ({
    to: closestOnGuide(pointer, through, direction, squeeze),
    kind,
    id: null,
  }))
}

function closestOnGuide(
  [x, y]: Position,
  [throughX, throughY]: Position,
  [dx, dy]: readonly [number, number],
  squeeze: number,
): [number, number] {
  const along = (x - throughX) * squeeze * dx + (y - throughY) * dy
  return [throughX + (along * dx) / squeeze, throughY + along * dy]
}

/** Of length 1, with longitudes squeezed. */
function directionOf(from: Position, to: Position, squeeze: number): [number, number] | undefined {
  const [dx, dy] = [(to[0] - from[0]) * squeeze, to[1] - from[1]]
  const length = Math.hypot(dx, dy)
  return length === 0 ? undefined : [dx / length, dy / length]
}
