import { earthCircumferenceMeters } from '#domain/geometry/web-mercator.ts'
import { severityRadiusMeters } from '#domain/incidents/incident-types.ts'
import type { TileAddress } from './tile-address.ts'
import { tileExtent, tileMargin, toTilePoint } from './tile-geometry.ts'
import { tilePixels } from './tile-zooms.ts'

// The circle around an incident is a polygon, because a circle layer vanishes with its centre.

/** Smaller circles are not drawn. */
const smallestRadiusPixels = 8

type Incident = { severity: string | null; lng: number; lat: number }

/** Tile coordinates (not rounded) of the closed ring; undefined where it is too small or too far away to be seen. */
export function severityRing(tile: TileAddress, incident: Incident): [number, number][] | undefined {
  const severity = (incident.severity ?? 'unknown') as keyof typeof severityRadiusMeters
  const meters = severityRadiusMeters[severity]
  const shareOfWorld = meters / (earthCircumferenceMeters * Math.cos((incident.lat * Math.PI) / 180))
  const radius = shareOfWorld * 2 ** tile.z * tileExtent
  const radiusPixels = (radius / tileExtent) * tilePixels
  if (radiusPixels < smallestRadiusPixels) return undefined
  const points = radiusPixels < 32 ? 32 : 64
  const [x, y] = toTilePoint(tile, incident.lng, incident.lat)
  const isNear = (at: number) => Math.abs(at - tileExtent / 2) <= (0.5 + tileMargin) * tileExtent + radius
  if (!isNear(x) || !isNear(y)) return undefined
  return Array.from({ length: points + 1 }, (_, index) => {
    const angle = ((index % points) / points) * 2 * Math.PI
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })
}
