import type { Feature, LineString, Point, Polygon } from 'geojson'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'

export type DrawnGeometry = Point | LineString | Polygon

/** What a person drew, as plain GeoJSON. A polygon has no holes; a circle is a ring of many corners. */
export type DrawnShape = Feature<DrawnGeometry, { kind: DrawingTool } & Record<string, unknown>> & {
  id: string
}

export const toolLabels: Record<DrawingTool, string> = {
  polyline: 'Polyline',
  polygon: 'Polygon',
  rectangle: 'Rectangle',
  circle: 'Circle',
  marker: 'Marker',
  circlemarker: 'Circle marker',
}
