import { earthCircumferenceMeters } from '#domain/geometry/web-mercator.ts'
import { severityRadiusMeters } from '#domain/incidents/incident-types.ts'
import { precedes, priorityOf } from '#domain/thinning/representatives.ts'
import { tilePixels } from '#domain/thinning/tile-zooms.ts'
import { type TileAddress, tileExtent, toTilePoint } from './tile-address.ts'
import type { Attributes } from './tile-features.ts'
import { tileMargin, tileRing } from './tile-geometry.ts'

// A polygon, because a circle layer disappears with its center.

/** Pixels. */
const smallestRadiusPixels = 8

/** Only the first incident of such a cell has a circle. Twice the cells of representatives. */
const cellPixels = 16

/** By radius (pixels): sides stay within a fifth of a pixel of the circle. */
const circles = [
  { from: 48, corners: cornersOf(64) },
  { from: 16, corners: cornersOf(32) },
  { from: 0, corners: cornersOf(16) },
] as const

/** On the unit circle; the last corner repeats the first. */
function cornersOf(count: number): (readonly [number, number])[] {
  return Array.from({ length: count + 1 }, (_, index) => {
    const angle = ((index % count) / count) * 2 * Math.PI
    return [Math.cos(angle), Math.sin(angle)]
  })
}

type Incident = {
  id: string
  standing: { attributes: Pick<Attributes, 'severity'> }
  date: number | null
  lng: number
  lat: number
}

/** Share of the tile's width. */
function radiusOn(z: number, meters: number, lat: number): number {
  return (meters / (earthCircumferenceMeters * Math.cos((lat * Math.PI) / 180))) * 2 ** z
}

/** Share of the tile's width that circles reach into a tile from beside it; 0 if none are drawn. */
export function ringReach(z: number, farthestLat: number): number {
  const reach = radiusOn(z, Math.max(...Object.values(severityRadiusMeters)), farthestLat)
  return reach * tilePixels < smallestRadiusPixels ? 0 : reach + tileMargin
}

export function ringCenters<Center extends Incident>(z: number, incidents: readonly Center[]): Center[] {
  const cells = new Map<number, Center>()
  for (const incident of incidents) {
    const [x, y] = toTilePoint({ z, x: 0, y: 0 }, incident.lng, incident.lat)
    const size = (cellPixels / tilePixels) * tileExtent
    const cell = Math.floor(y / size) * 2 ** 26 + Math.floor(x / size)
    const first = cells.get(cell)
    if (!first || standsBefore(incident, first)) cells.set(cell, incident)
  }
  return [...cells.values()].sort((one, other) => (standsBefore(one, other) ? -1 : 1))
}

function standsBefore(one: Incident, other: Incident): boolean {
  const placed = (incident: Incident) => ({
    id: incident.id,
    priority: priorityOf({ kind: 'incident', date: incident.date, size: 0 }),
  })
  return precedes(placed(one), placed(other))
}

/** Closed; undefined if it is too small or too far away. */
export function severityRing(
  tile: TileAddress,
  incident: Pick<Incident, 'standing' | 'lng' | 'lat'>,
): [number, number][] | undefined {
  const severity = (incident.standing.attributes.severity ?? 'unknown') as keyof typeof severityRadiusMeters
  const share = radiusOn(tile.z, severityRadiusMeters[severity], incident.lat)
  const [radius, radiusPixels] = [share * tileExtent, share * tilePixels]
  if (radiusPixels < smallestRadiusPixels) return undefined
  const [x, y] = toTilePoint(tile, incident.lng, incident.lat)
  const isNear = (at: number) => Math.abs(at - tileExtent / 2) <= (0.5 + tileMargin) * tileExtent + radius
  if (!isNear(x) || !isNear(y)) return undefined
  const corners = circles.find(({ from }) => radiusPixels >= from)?.corners ?? []
  return tileRing(corners.map((corner) => [x + radius * corner[0], y + radius * corner[1]]))
}
