import type { Position } from 'geojson'
import { areaSquareMeters } from '#domain/geometry/measure-acres.ts'
import { lengthMeters, radiusMeters } from '#domain/geometry/measure-path.ts'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { formatArea, formatDistance, inBothUnits } from '#web/ui/measures.ts'
import { hasCrossingEdges } from './crossing.ts'

export function readoutOf(kind: DrawingTool, corners: readonly Position[]): string {
  if (kind === 'marker' || kind === 'circlemarker' || corners.length < 2) return ''
  const distance = (name: string, meters: number) => `${name} ${inBothUnits(formatDistance, meters)}`
  if (kind === 'polyline' || corners.length === 2) return distance('Length', lengthMeters(corners))
  const perimeter = distance('Perimeter', lengthMeters([...corners, ...corners.slice(0, 1)]))
  // A polygon with crossing edges has no meaningful area.
  if (kind === 'polygon' && hasCrossingEdges(corners, true)) return perimeter
  const area = `Area ${inBothUnits(formatArea, areaSquareMeters(corners))}`
  return `${area} · ${kind === 'circle' ? distance('Radius', radiusMeters(corners)) : perimeter}`
}
