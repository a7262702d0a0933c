import { footOnLine, offsetLine, smoothCurve } from './curves.ts'
import { cutBlocks, type Mesh, piecesInRing, pointsOfFace } from './mesh.ts'
import { distance, type Point } from './plane.ts'

/** A road as planned: points that it passes, in metres. */
export type RoadPlan = { name: string; through: readonly Point[]; isDeadEnd?: boolean }

/** A road as built: the line along the middle of its corridor. */
export type Road = { name: string; line: Point[]; isDeadEnd: boolean }

/** Half of the usual 60 ft right of way. */
export const halfCorridorMeters = 9

/** A fire engine's turning circle. */
const turnaroundRadiusMeters = 24

/** An end this close to an earlier road joins it. */
const joinMeters = 60

/** Cuts the corridors in the order of the plan: a road may join those before it. */
export function buildRoads(mesh: Mesh, plans: readonly RoadPlan[]): Road[] {
  const outline = mesh.vertices.slice()
  const roads: Road[] = []
  for (const { name, through, isDeadEnd = false } of plans) {
    const line = smoothCurve(
      through.map((point, index) => (isEnd(index, through) ? joined(point, roads) : point)),
    )
    const borders = isDeadEnd
      ? [aroundDeadEnd(line)]
      : [offsetLine(line, halfCorridorMeters), offsetLine(line, -halfCorridorMeters)]
    for (const border of borders) cutBlocks(mesh, border, { snapMeters: 3 })
    markCorridor(mesh, line, isDeadEnd, roads.length)
    roads.push({ name, line: isDeadEnd ? line : withinOutline(line, outline, name), isDeadEnd })
  }
  return roads
}

function isEnd(index: number, points: readonly Point[]): boolean {
  return index === 0 || index === points.length - 1
}

function joined(point: Point, roads: readonly Road[]): Point {
  const feet = roads.map((road) => footOnLine(point, road.line))
  const nearest = feet.reduce((best, foot) => (foot.away < best.away ? foot : best), {
    point,
    along: 0,
    away: joinMeters,
  })
  return nearest.point
}

/** Up one side, round the turning circle, back down the other side. */
function aroundDeadEnd(line: readonly Point[]): Point[] {
  const end = line.at(-1) as Point
  const before = line.at(-2) as Point
  const heading = Math.atan2(end[1] - before[1], end[0] - before[0])
  const gap = Math.asin(halfCorridorMeters / turnaroundRadiusMeters)
  const steps = 10
  const circle = Array.from({ length: steps + 1 }, (_, step): Point => {
    const angle = heading + Math.PI - gap - ((2 * Math.PI - 2 * gap) * step) / steps
    return [
      end[0] + turnaroundRadiusMeters * Math.cos(angle),
      end[1] + turnaroundRadiusMeters * Math.sin(angle),
    ]
  })
  const isBeforeCircle = (point: Point) => distance(point, end) > turnaroundRadiusMeters + 4
  return [
    ...offsetLine(line, halfCorridorMeters).filter(isBeforeCircle),
    ...circle,
    ...offsetLine(line, -halfCorridorMeters).filter(isBeforeCircle).reverse(),
  ]
}

function markCorridor(mesh: Mesh, line: readonly Point[], isDeadEnd: boolean, road: number) {
  const end = line.at(-1) as Point
  const isOnCorridor = (point: Point) =>
    footOnLine(point, line).away < halfCorridorMeters + 4 ||
    (isDeadEnd && distance(point, end) < turnaroundRadiusMeters + 4)
  for (const face of mesh.faces) {
    if (face.use === 'block' && pointsOfFace(mesh, face).every(isOnCorridor))
      Object.assign(face, { use: 'road', road })
  }
}

function withinOutline(line: Point[], outline: readonly Point[], name: string): Point[] {
  const [piece, ...more] = piecesInRing(line, outline, true)
  if (!piece || more.length > 0) throw new Error(`${name} must cross the land once`)
  return piece
}
