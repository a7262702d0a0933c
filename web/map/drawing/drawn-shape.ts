import type { Feature, LineString, Point, Polygon, Position } from 'geojson'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'

export type DrawnGeometry = Point | LineString | Polygon

/** What a person drew, as plain GeoJSON. A polygon has no holes; a circle is a ring of many corners. */
export type DrawnShape = Feature<DrawnGeometry, { kind: DrawingTool } & Record<string, unknown>> & {
  id: string
}

/** Drawn point by point, with edges that must not cross. */
export function isDrawnByPoints(kind: DrawingTool): kind is 'polyline' | 'polygon' {
  return kind === 'polyline' || kind === 'polygon'
}

export const leastPoints = { polyline: 2, polygon: 3 } as const

/** The corners, each once: a ring's last is its first. */
export function cornersOf(geometry: DrawnGeometry): Position[] {
  if (geometry.type === 'Point') return [geometry.coordinates]
  if (geometry.type === 'LineString') return geometry.coordinates
  return (geometry.coordinates[0] ?? []).slice(0, -1)
}
