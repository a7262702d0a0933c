import type { Position } from 'geojson'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { hasCrossingEdges } from './crossing.ts'
import { formatArea, formatDistance } from './format-measure.ts'
import { areaSquareMeters, lengthMeters, radiusMeters } from './measure-shape.ts'

/** How large a shape with these corners is, in words; empty for a point. */
export function readoutOf(kind: DrawingTool, corners: readonly Position[]): string {
  if (kind === 'marker' || kind === 'circlemarker' || corners.length < 2) return ''
  if (kind === 'polyline' || corners.length === 2) return `Length ${formatDistance(lengthMeters(corners))}`
  // Where edges cross, what they enclose is no area that anybody means.
  const around = lengthMeters([...corners, ...corners.slice(0, 1)])
  if (kind === 'polygon' && hasCrossingEdges(corners, true)) return `Perimeter ${formatDistance(around)}`
  const area = `Area ${formatArea(areaSquareMeters(corners))}`
  if (kind === 'circle') return `${area} · Radius ${formatDistance(radiusMeters(corners))}`
  return `${area} · Perimeter ${formatDistance(around)}`
}
