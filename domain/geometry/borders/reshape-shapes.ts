import type { Position } from '../geometry.schema.ts'
import { type CornerKey, cornerKey, mapPaths, pathsOf, roundPosition } from './corners.ts'
import { cutPath, findCuts } from './divide-shapes.ts'
import { Draft, moveCorners } from './edit-corners.ts'
import { edgesOf, type ShapeEdit, type ShapeGraph, ShapeRefusal } from './shape-graph.ts'
import { signedArea } from './trace-areas.ts'

// Operations on a whole border. Shapes that share the border follow.

/**
 * Replaces the part of a border between the first and the last place where the line meets it. Keeps the larger side.
 * Throws a ShapeRefusal if several shapes border that part, as each would have to give or get its share.
 */
export function reshapeBorder(graph: ShapeGraph, id: string, line: readonly Position[]): ShapeEdit {
  const shape = graph.shape(id)
  const path = line.map(roundPosition)
  const cuts = findCuts(shape, path)
  const first = cuts.at(0)
  const last = cuts.at(-1)
  if (!first || !last || cuts.length < 2)
    throw new ShapeRefusal(`The line must begin and end on the border of ${shape.name}.`)
  const draft = new Draft(graph)
  for (const cut of [first, last]) draft.insert(graph.idsThrough(cut), cut)
  for (const edge of edgesOf(shape))
    for (const corner of graph.cornersOn(edge, (one) => one !== id)) draft.insert([id], corner)
  const [from, to] = [cornerKey(first), cornerKey(last)]
  const between = betweenCuts(path, first, last)
  const own = pathsOf(draft.shape(id).geometry).find(
    ({ corners, isRing }) =>
      isRing && [from, to].every((key) => corners.some((one) => cornerKey(one) === key)),
  )
  if (!own) throw new ShapeRefusal('The line must begin and end on the same border.')
  const sides = [chainOf(own.corners, from, to), chainOf(own.corners, to, from)] as const
  const choices = [
    { replaced: sides[0], kept: sides[1], inserted: between },
    { replaced: sides[1], kept: sides[0], inserted: between.toReversed() },
  ]
  const sized = choices.map((choice) => ({
    ...choice,
    size: Math.abs(signedArea(closed([...choice.kept, ...choice.inserted.slice(1, -1)]))),
  }))
  const best =
    (sized[0] as Sized).size >= (sized[1] as Sized).size ? (sized[0] as Sized) : (sized[1] as Sized)
  const keys = best.replaced.map(cornerKey)
  const neighbors = neighborsAlong(graph, draft, keys)
  neighbors.delete(id)
  if (neighbors.size > 1 || [...neighbors.values()].some((count) => count < keys.length - 1))
    throw new ShapeRefusal('Several records border this part. Reshape the border with one of them at a time.')
  for (const one of [id, ...neighbors.keys()])
    draft.change(one, ({ corners, isRing }) => replaceChain(corners, keys, best.inserted, isRing))
  return draft.finish()
}

type Sized = { replaced: Position[]; kept: Position[]; inserted: readonly Position[]; size: number }

const closed = (ring: readonly Position[]) => [...ring, ring[0] as Position]

/** From one corner of a ring to another, both included. */
function chainOf(ring: readonly Position[], from: CornerKey, to: CornerKey): Position[] {
  const start = ring.findIndex((one) => cornerKey(one) === from)
  const turned = [...ring.slice(start), ...ring.slice(0, start)]
  return turned.slice(0, turned.findIndex((one) => cornerKey(one) === to) + 1)
}

/** The line from the first cut to the last, both included. */
function betweenCuts(path: readonly Position[], first: Position, last: Position): Position[] {
  const along = cutPath(path, [first, last])
  const start = along.findIndex((one) => cornerKey(one) === cornerKey(first))
  const end = along.findLastIndex((one) => cornerKey(one) === cornerKey(last))
  return along.slice(start, end + 1)
}

/** How many edges of the chain each shape has. */
function neighborsAlong(graph: ShapeGraph, draft: Draft, keys: readonly CornerKey[]): Map<string, number> {
  const counts = new Map<string, number>()
  const ids = new Set([...keys.flatMap((key) => [...graph.idsWith(key)]), ...draft.changedIds()])
  const edges = new Set(
    keys.slice(1).flatMap((key, index) => [`${keys[index]} ${key}`, `${key} ${keys[index]}`]),
  )
  for (const id of ids)
    for (const { corners, isRing } of pathsOf(draft.shape(id).geometry))
      for (const [index, corner] of corners.entries()) {
        const next = corners[isRing ? (index + 1) % corners.length : index + 1]
        if (next && edges.has(`${cornerKey(corner)} ${cornerKey(next)}`))
          counts.set(id, (counts.get(id) ?? 0) + 1)
      }
  return counts
}

function replaceChain(
  ring: readonly Position[],
  keys: readonly CornerKey[],
  inserted: readonly Position[],
  isRing: boolean,
): readonly Position[] {
  const [first = '', last = ''] = [keys[0], keys.at(-1)]
  if (!isRing || ![first, last].every((key) => ring.some((one) => cornerKey(one) === key))) return ring
  for (const [from, to, replacement] of [
    [first, last, inserted],
    [last, first, inserted.toReversed()],
  ] as const) {
    const chain = chainOf(ring, from, to).map(cornerKey)
    const wanted = from === first ? keys : keys.toReversed()
    if (chain.length !== wanted.length || chain.some((key, index) => key !== wanted[index])) continue
    return [...replacement.slice(0, -1), ...chainOf(ring, to, from).slice(0, -1)]
  }
  return ring
}

/** Makes corners of nearly 90 degrees exact, and nearly straight borders straight. */
export function squareCorners(graph: ShapeGraph, id: string): ShapeEdit {
  const moves = new Map<CornerKey, Position>()
  mapPaths(graph.shape(id).geometry, ({ corners, isRing }) => {
    if (isRing) for (const [key, to] of squared(corners)) moves.set(key, to)
    return corners
  })
  if (moves.size === 0) throw new ShapeRefusal('Nothing to change.')
  return moveCorners(graph, moves)
}

/** Edges this close to the main directions are turned. */
const maxTurnDegrees = 15

function squared(corners: readonly Position[]): Map<CornerKey, Position> {
  const [origin = [0, 0]] = corners as readonly Position[]
  const squeeze = Math.cos((origin[1] * Math.PI) / 180)
  const places = corners.map(([lng, lat]) => [(lng - origin[0]) * squeeze, lat - origin[1]] as const)
  const at = (index: number) => places[(index + places.length) % places.length] as readonly [number, number]
  const edges = places.map(([x, y], index) => {
    const [nextX, nextY] = at(index + 1)
    return { dx: nextX - x, dy: nextY - y, middle: [(x + nextX) / 2, (y + nextY) / 2] as const }
  })
  // Four times the angle is the same for all four directions of a rectangle.
  let [sine, cosine] = [0, 0]
  for (const { dx, dy } of edges) {
    const [angle, length] = [4 * Math.atan2(dy, dx), Math.hypot(dx, dy)]
    sine += length * Math.sin(angle)
    cosine += length * Math.cos(angle)
  }
  const main = Math.atan2(sine, cosine) / 4
  const quarter = Math.PI / 2
  const lines = edges.map(({ dx, dy, middle }) => {
    const turns = Math.round((Math.atan2(dy, dx) - main) / quarter)
    const direction = main + turns * quarter
    const off = Math.abs(Math.atan2(dy, dx) - direction)
    if (off > (maxTurnDegrees * Math.PI) / 180) return null
    return { middle, cos: Math.cos(direction), sin: Math.sin(direction), isAcross: Math.abs(turns % 2) === 1 }
  })
  const moves = new Map<CornerKey, Position>()
  for (const [index, [x, y]] of places.entries()) {
    const [before, after] = [lines[(index - 1 + lines.length) % lines.length], lines[index]]
    let to: readonly [number, number] = [x, y]
    if (before && after && before.isAcross !== after.isAcross) to = meet(before, after)
    else for (const line of [before, after]) if (line) to = onto(line, to)
    const corner = corners[index] as Position
    const moved = roundPosition([origin[0] + to[0] / squeeze, origin[1] + to[1]])
    if (cornerKey(moved) !== cornerKey(corner)) moves.set(cornerKey(corner), moved)
  }
  return moves
}

type Line = { middle: readonly [number, number]; cos: number; sin: number }

function onto({ middle: [mx, my], cos, sin }: Line, [x, y]: readonly [number, number]): [number, number] {
  const along = (x - mx) * cos + (y - my) * sin
  return [mx + along * cos, my + along * sin]
}

/** Of two lines at right angles. */
function meet(one: Line, other: Line): [number, number] {
  const [ox, oy] = other.middle
  const [mx, my] = one.middle
  const along = (ox - mx) * one.cos + (oy - my) * one.sin
  return [mx + along * one.cos, my + along * one.sin]
}

/** Cuts a hole into an area. The ring need not be closed. */
export function cutHole(graph: ShapeGraph, id: string, ring: readonly Position[]): ShapeEdit {
  const shape = graph.shape(id)
  const { geometry } = shape
  if (geometry.type !== 'Polygon') throw new ShapeRefusal('Holes can only be cut into an area of one part.')
  if (ring.length < 3) throw new ShapeRefusal('A hole needs at least 3 corners.')
  const draft = new Draft(graph)
  draft.set({
    ...shape,
    geometry: { type: 'Polygon', coordinates: [...geometry.coordinates, closed(ring.map(roundPosition))] },
  })
  return draft.finish()
}
