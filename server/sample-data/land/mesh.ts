import {
  between,
  distance,
  edgesOf,
  isInsideRing,
  meetingShare,
  nearestOnSegment,
  type Point,
  ringArea,
} from './plane.ts'

// Land cut into faces that share their vertices. A cut that ends on an edge puts its vertex into every face
// that has the edge, so that neighbours keep exactly the same border, whatever is done to the coordinates later.

/** `road` is the number of the road that a corridor belongs to. */
export type Face = { use: 'block' | 'road' | 'lot'; road?: number; ring: number[] }
export type Mesh = { vertices: Point[]; faces: Face[] }

export function meshOf(outline: readonly Point[]): Mesh {
  const vertices = ringArea(outline) > 0 ? [...outline] : [...outline].reverse()
  return { vertices, faces: [{ use: 'block', ring: vertices.map((_, index) => index) }] }
}

export function pointsOfFace(mesh: Mesh, face: Face): Point[] {
  return face.ring.map((vertex) => mesh.vertices[vertex] as Point)
}

/** Ends of a cut closer than `snapMeters` to a vertex use that vertex; no part may be smaller than the area. */
export type CutLimits = { snapMeters: number; minAreaSquareMeters?: number }

/** Cuts a face along a path whose ends lie on its ring. Returns false, with nothing cut, where limits forbid it. */
export function splitFace(mesh: Mesh, face: Face, path: readonly Point[], limits: CutLimits): boolean {
  const { snapMeters, minAreaSquareMeters = 1 } = limits
  const start = vertexOnRing(mesh, face, path[0] as Point, snapMeters)
  const end = vertexOnRing(mesh, face, path.at(-1) as Point, snapMeters)
  if (start === end) return false
  const ends = [mesh.vertices[start] as Point, mesh.vertices[end] as Point]
  const innerPoints = path.slice(1, -1).filter((point) => ends.every((other) => distance(point, other) > 1))
  const first = mesh.vertices.length
  const inner = innerPoints.map((_, index) => first + index)

  const from = face.ring.indexOf(start)
  const turned = [...face.ring.slice(from), ...face.ring.slice(0, from)]
  const to = turned.indexOf(end)
  const left: Face = { ...face, ring: [...turned.slice(0, to + 1), ...inner.toReversed()] }
  const right: Face = { ...face, ring: [...turned.slice(to), start, ...inner] }
  mesh.vertices.push(...innerPoints)
  if (
    [left, right].some(
      (part) => part.ring.length < 3 || ringArea(pointsOfFace(mesh, part)) < minAreaSquareMeters,
    )
  ) {
    mesh.vertices.length = first
    return false
  }
  mesh.faces.splice(mesh.faces.indexOf(face), 1, left, right)
  return true
}

function vertexOnRing(mesh: Mesh, face: Face, point: Point, snapMeters: number): number {
  const near = face.ring
    .map((vertex) => ({ vertex, away: distance(point, mesh.vertices[vertex] as Point) }))
    .reduce((best, other) => (other.away < best.away ? other : best))
  if (near.away <= snapMeters) return near.vertex

  const feet = edgesOf(pointsOfFace(mesh, face)).map(([from, to]) => nearestOnSegment(point, from, to))
  const away = feet.map((foot) => distance(point, foot))
  const edge = away.indexOf(Math.min(...away))
  const from = face.ring[edge] as number
  const to = face.ring[(edge + 1) % face.ring.length] as number
  const vertex = mesh.vertices.push(feet[edge] as Point) - 1
  for (const other of mesh.faces) insertBetween(other.ring, from, to, vertex)
  return vertex
}

function insertBetween(ring: number[], from: number, to: number, vertex: number) {
  for (const [index, here] of ring.entries()) {
    const next = ring[(index + 1) % ring.length]
    if ((here === from && next === to) || (here === to && next === from)) {
      ring.splice(index + 1, 0, vertex)
      return
    }
  }
}

/** The pieces of a line inside a ring: from border to border, or also from and to the line's own ends. */
export function piecesInRing(
  line: readonly Point[],
  ring: readonly Point[],
  mayEndInside: boolean,
): Point[][] {
  const crossings: { segment: number; share: number }[] = []
  if (mayEndInside) crossings.push({ segment: 0, share: 0 }, { segment: line.length - 2, share: 1 })
  for (let segment = 0; segment < line.length - 1; segment++) {
    for (const [from, to] of edgesOf(ring)) {
      const share = meetingShare(line[segment] as Point, line[segment + 1] as Point, from, to)
      if (share !== undefined) crossings.push({ segment, share })
    }
  }
  crossings.sort((one, other) => one.segment + one.share - other.segment - other.share)
  const at = ({ segment, share }: { segment: number; share: number }) =>
    between(line[segment] as Point, line[segment + 1] as Point, share)
  return crossings.slice(1).flatMap((exit, index) => {
    const entry = crossings[index] as typeof exit
    const piece = [at(entry), ...line.slice(entry.segment + 1, exit.segment + 1), at(exit)]
    const middle = Math.floor((piece.length - 1) / 2)
    const inside = between(piece[middle] as Point, piece[middle + 1] as Point, 0.5)
    return isInsideRing(inside, ring) ? [piece] : []
  })
}

/** Cuts every block that the line runs through. */
export function cutBlocks(mesh: Mesh, line: readonly Point[], limits: CutLimits) {
  for (const block of mesh.faces.filter((face) => face.use === 'block')) {
    for (const piece of piecesInRing(line, pointsOfFace(mesh, block), false)) {
      const middle = Math.floor((piece.length - 1) / 2)
      const inside = between(piece[middle] as Point, piece[middle + 1] as Point, 0.5)
      const face = mesh.faces.find(
        (other) => other.use === 'block' && isInsideRing(inside, pointsOfFace(mesh, other)),
      )
      if (face) splitFace(mesh, face, piece, limits)
    }
  }
}
