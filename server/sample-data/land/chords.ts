import { between, cross, distance, edgesOf, meetingShare, type Point, ringArea, ringLength } from './plane.ts'

/** The ring of a block, and which of its edges lie on a road. Edge n starts at point n. */
export type Block = { ring: readonly Point[]; onRoad: readonly boolean[] }

/** A straight cut between two points of the ring, each given with its edge, and the two parts it would make. */
export type Chord = { from: Point; to: Point; parts: [Block, Block]; endSine: number }

type Stop = { point: Point; edge: number }

/** Every chord that starts square to an edge. `turns` are deviations from square to try, in radians. */
export function chordsOfBlock(
  block: Block,
  {
    spacingMeters,
    snapMeters,
    turns,
  }: { spacingMeters: number; snapMeters: number; turns: readonly number[] },
): Chord[] {
  const starts = edgesOf(block.ring).flatMap(([from, to], edge): Stop[] => {
    const steps = Math.max(1, Math.round(distance(from, to) / spacingMeters))
    return Array.from({ length: steps }, (_, step) => ({ point: between(from, to, step / steps), edge }))
  })
  return starts.flatMap((start) => turns.flatMap((turn) => chordFrom(block, start, turn, snapMeters) ?? []))
}

function chordFrom(block: Block, start: Stop, turn: number, snapMeters: number): Chord | undefined {
  const { ring } = block
  const [edgeFrom, edgeTo] = edgeOf(ring, start.edge)
  const heading = Math.atan2(edgeTo[1] - edgeFrom[1], edgeTo[0] - edgeFrom[0]) + Math.PI / 2 + turn
  const from = snapped(ring, start, snapMeters)
  const far: Point = [from.point[0] + 10_000 * Math.cos(heading), from.point[1] + 10_000 * Math.sin(heading)]
  const hit = firstHit(ring, from.point, far)
  if (!hit) return undefined
  const [hitFrom, hitTo] = edgeOf(ring, hit.edge)
  const to = snapped(ring, hit, snapMeters)
  if (distance(from.point, to.point) < 20 || !isFreeChord(ring, from.point, to.point)) return undefined
  const endSine =
    Math.abs(cross(hitFrom, hitTo, from.point)) / (distance(hitFrom, hitTo) * distance(from.point, hit.point))
  return { from: from.point, to: to.point, parts: partsOf(block, from, to), endSine }
}

function edgeOf(ring: readonly Point[], edge: number): [Point, Point] {
  return [ring[edge] as Point, ring[(edge + 1) % ring.length] as Point]
}

/** Takes a vertex of the ring where one is near, so that no sliver remains. */
function snapped(ring: readonly Point[], stop: Stop, snapMeters: number): Stop {
  const next = (stop.edge + 1) % ring.length
  for (const edge of [stop.edge, next]) {
    if (distance(stop.point, ring[edge] as Point) <= snapMeters) return { point: ring[edge] as Point, edge }
  }
  return stop
}

function firstHit(ring: readonly Point[], from: Point, far: Point): Stop | undefined {
  let best: (Stop & { share: number }) | undefined
  for (const [edge, [edgeFrom, edgeTo]] of edgesOf(ring).entries()) {
    const share = meetingShare(from, far, edgeFrom, edgeTo)
    if (share !== undefined && share > 1e-7 && (!best || share < best.share))
      best = { point: between(from, far, share), edge, share }
  }
  return best
}

/** Whether the chord touches the ring at its two ends only. */
function isFreeChord(ring: readonly Point[], from: Point, to: Point): boolean {
  const length = distance(from, to)
  return edgesOf(ring).every(([edgeFrom, edgeTo]) => {
    const share = meetingShare(from, to, edgeFrom, edgeTo)
    if (share === undefined) return true
    return share * length < 0.01 || (1 - share) * length < 0.01
  })
}

function partsOf(block: Block, from: Stop, to: Stop): [Block, Block] {
  return [partBetween(block, from, to), partBetween(block, to, from)]
}

/** The part that lies ahead when one follows the ring from `from` to `to`, closed by the chord. */
function partBetween({ ring, onRoad }: Block, from: Stop, to: Stop): Block {
  const points: Point[] = [from.point]
  const roads: boolean[] = [onRoad[from.edge] as boolean]
  const isBehind =
    to.edge === from.edge &&
    distance(ring[from.edge] as Point, to.point) <= distance(ring[from.edge] as Point, from.point)
  const count = isBehind ? ring.length : (to.edge - from.edge + ring.length) % ring.length
  for (let step = 1; step <= count; step++) {
    const vertex = (from.edge + step) % ring.length
    points.push(ring[vertex] as Point)
    roads.push(onRoad[vertex] as boolean)
  }
  if (distance(points.at(-1) as Point, to.point) > 1e-9) {
    points.push(to.point)
    roads.push(false)
  } else roads[roads.length - 1] = false
  return { ring: points, onRoad: roads }
}

export function frontageMeters({ ring, onRoad }: Block): number {
  return edgesOf(ring).reduce((sum, [from, to], edge) => sum + (onRoad[edge] ? distance(from, to) : 0), 0)
}

/** 1 for a square, more for anything longer or more ragged. */
export function raggedness(ring: readonly Point[]): number {
  return ringLength(ring) ** 2 / (16 * Math.max(1, ringArea(ring)))
}
