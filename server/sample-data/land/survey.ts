import type { SeededRandom } from '../seeded-random.ts'
import { frontageMeters } from './chords.ts'
import { cutCornerLots } from './corner-lots.ts'
import { footOnLine, meander, smoothCurve } from './curves.ts'
import { blockOfFace, divideBlocks } from './lots.ts'
import { cutBlocks, type Face, type Mesh, meshOf, pointsOfFace } from './mesh.ts'
import { distance, type Point, ringArea, ringCentroid } from './plane.ts'
import { buildRoads, type Road, type RoadPlan } from './roads.ts'

export const squareMetersPerAcre = 4046.8564224

/** Where an association's land lies and how it is laid out: metres east and north of its centre, as drawn. */
export type LandPlan = {
  outline: readonly Point[]
  roads: readonly RoadPlan[]
  /** A watercourse: lots end at its bank line. */
  creek: readonly Point[]
  lotAcres: number
  cornerLots: number
}

export type Lot = {
  ring: Point[]
  areaSquareMeters: number
  /** Number of the road that the lot lies on with its longest front; null without any front. */
  road: number | null
  /** Where it lies along that road, in metres; for counting lots as a surveyor does. */
  along: number
}

export type Land = { outline: Point[]; corridors: Point[][]; roads: Road[]; creek: Point[]; lots: Lot[] }

/**
 * Plans are drawn small, to be read. On the ground parcels have tens of acres, as rural land does, and are areas
 * rather than dots at the zoom at which a map opens.
 */
const groundScale = 2.6

function onTheGround(land: Land): Land {
  const scaled = ([x, y]: Point): Point => [x * groundScale, y * groundScale]
  return {
    outline: land.outline.map(scaled),
    corridors: land.corridors.map((corridor) => corridor.map(scaled)),
    roads: land.roads.map((road) => ({ ...road, line: road.line.map(scaled) })),
    creek: land.creek.map(scaled),
    lots: land.lots.map((lot) => ({
      ...lot,
      ring: lot.ring.map(scaled),
      areaSquareMeters: lot.areaSquareMeters * groundScale ** 2,
      along: lot.along * groundScale,
    })),
  }
}

/** Lays the land out: roads, then the creek, then lots, then a few lots in the corners of others. */
export function surveyLand(plan: LandPlan, random: SeededRandom): Land {
  const mesh = meshOf(plan.outline)
  const roads = buildRoads(mesh, plan.roads)
  const creek = smoothCurve(meander(plan.creek, random))
  const size = plan.lotAcres * squareMetersPerAcre
  cutBlocks(mesh, creek, { snapMeters: 12, minAreaSquareMeters: 0.3 * size })

  const entrance = roads[0]?.line[0] ?? [0, 0]
  const reach = Math.max(...plan.outline.map((point) => distance(point, entrance)))
  // Small lots near the entrance, large ones at the far end.
  divideBlocks(mesh, (place) => size * (0.55 + (1.1 * distance(place, entrance)) / reach), random)
  cutCornerLots(mesh, plan.cornerLots, 0.3 * size)

  const faces = (use: Face['use']) => mesh.faces.filter((face) => face.use === use)
  return onTheGround({
    outline: outlineOf(mesh),
    corridors: faces('road').map((face) => pointsOfFace(mesh, face)),
    roads,
    creek,
    lots: faces('lot')
      .map((face) => lotOf(mesh, face, roads))
      .sort(
        (one, other) => (one.road ?? roads.length) - (other.road ?? roads.length) || one.along - other.along,
      ),
  })
}

function lotOf(mesh: Mesh, face: Face, roads: readonly Road[]): Lot {
  const ring = pointsOfFace(mesh, face)
  const fronts = roads.map((_, road) => {
    const others = mesh.faces.filter((other) => other.use !== 'road' || other.road === road)
    return frontageMeters(blockOfFace({ ...mesh, faces: others }, face))
  })
  const longest = Math.max(...fronts)
  const road = longest > 0 ? fronts.indexOf(longest) : null
  const line = road === null ? undefined : roads[road]?.line
  const along = line ? footOnLine(ringCentroid(ring), line).along : 0
  return { ring, areaSquareMeters: ringArea(ring), road, along }
}

/** The outline with every vertex that a cut left on it: edges that only one face has. */
function outlineOf(mesh: Mesh): Point[] {
  const next = new Map<number, number>()
  const edges = new Set(
    mesh.faces.flatMap(({ ring }) =>
      ring.map((vertex, index) => `${vertex} ${ring[(index + 1) % ring.length]}`),
    ),
  )
  for (const { ring } of mesh.faces) {
    for (const [index, vertex] of ring.entries()) {
      const to = ring[(index + 1) % ring.length] as number
      if (!edges.has(`${to} ${vertex}`)) next.set(vertex, to)
    }
  }
  const [start] = next.keys()
  const outline: Point[] = []
  for (let vertex = start; vertex !== undefined; vertex = next.get(vertex)) {
    outline.push(mesh.vertices[vertex] as Point)
    if (next.get(vertex) === start) break
  }
  return outline
}

/** Whether a corner of the ring lies within `meters` of a line. */
export function isBesideLine(ring: readonly Point[], line: readonly Point[], meters: number): boolean {
  return ring.some((point) => footOnLine(point, line).away < meters)
}
