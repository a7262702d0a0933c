import type { Feature, LineString, Point, Polygon, Position } from 'geojson'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'

export type DrawnGeometry = Point | LineString | Polygon

/** Polygons have no holes; a circle is a ring of many corners. */
export type DrawnShape = Feature<DrawnGeometry, { kind: DrawingTool } & Record<string, unknown>> & {
  id: string
}

/** Edges of such shapes must not cross. */
export function isDrawnByPoints(kind: DrawingTool): kind is 'polyline' | 'polygon' {
  return kind === 'polyline' || kind === 'polygon'
}

export const leastPoints = { polyline: 2, polygon: 3 } as const

/** Omits the repeated last corner of a ring. */
export function cornersOf(geometry: DrawnGeometry): Position[] {
  if (geometry.type === 'Point') return [geometry.coordinates]
  if (geometry.type === 'LineString') return geometry.coordinates
  return (geometry.coordinates[0] ?? []).slice(0, -1)
}

/** Works over plain HTTP, too. */
export function newShapeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = ['8', '9', 'a', 'b'][(bytes[8] ?? 0) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
