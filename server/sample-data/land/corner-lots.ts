import { frontageMeters, raggedness } from './chords.ts'
import { blockOfFace, minFrontageMeters, snapMeters } from './lots.ts'
import { type Face, type Mesh, pointsOfFace, splitFace } from './mesh.ts'
import { cross, distance, distanceToRing, isInsideRing, type Point, ringArea } from './plane.ts'

/** Cuts a small lot out of a corner of a large one, which stays L-shaped: the 'homestead' of an older farm. */
export function cutCornerLots(mesh: Mesh, count: number, minAreaSquareMeters: number) {
  const bySize = mesh.faces
    .filter((face) => face.use === 'lot')
    .sort((one, other) => ringArea(pointsOfFace(mesh, other)) - ringArea(pointsOfFace(mesh, one)))
  let left = count
  for (const face of bySize) {
    if (left > 0 && cutCorner(mesh, face, minAreaSquareMeters)) left--
  }
}

function cutCorner(mesh: Mesh, face: Face, minAreaSquareMeters: number): boolean {
  const { ring, onRoad } = blockOfFace(mesh, face)
  if (raggedness(ring) > 1.6) return false
  for (const [index, corner] of ring.entries()) {
    const onFront = onRoad[index] || onRoad[(index + ring.length - 1) % ring.length]
    const ahead = sideEnd(ring, index, 1)
    const back = sideEnd(ring, index, -1)
    const sine = cross(corner, ahead, back) / (distance(corner, ahead) * distance(corner, back))
    if (!onFront || sine < 0.9) continue
    const path = cornerPath(corner, ahead, back)
    const area = Math.abs(cross(corner, path[0], path[2]))
    const isInside = isInsideRing(path[1], ring) && distanceToRing(path[1], ring) > 30
    if (!isInside || area < minAreaSquareMeters || area > 0.45 * ringArea(ring)) continue
    if (splitKeepsFrontage(mesh, face, path)) return true
  }
  return false
}

/** Where the straight side that leaves a corner ends. */
function sideEnd(ring: readonly Point[], corner: number, step: 1 | -1): Point {
  const at = (index: number) => ring[(index + ring.length) % ring.length] as Point
  const start = at(corner)
  let index = corner + step
  while (
    Math.abs(cross(start, at(index), at(index + step))) <
    0.03 * distance(start, at(index)) * distance(at(index), at(index + step))
  )
    index += step
  return at(index)
}

function cornerPath(corner: Point, ahead: Point, back: Point): [Point, Point, Point] {
  const share = 0.52
  const from: Point = [corner[0] + (ahead[0] - corner[0]) * share, corner[1] + (ahead[1] - corner[1]) * share]
  const to: Point = [corner[0] + (back[0] - corner[0]) * share, corner[1] + (back[1] - corner[1]) * share]
  return [from, [from[0] + to[0] - corner[0], from[1] + to[1] - corner[1]], to]
}

/** Tries the cut on a copy first, because a cut cannot be taken back. */
function splitKeepsFrontage(mesh: Mesh, face: Face, path: readonly Point[]): boolean {
  const trial: Mesh = structuredClone(mesh)
  const at = mesh.faces.indexOf(face)
  if (!splitFace(trial, trial.faces[at] as Face, path, { snapMeters })) return false
  const parts = trial.faces.slice(at, at + 2)
  if (parts.some((part) => frontageMeters(blockOfFace(trial, part)) < minFrontageMeters)) return false
  return splitFace(mesh, face, path, { snapMeters })
}
