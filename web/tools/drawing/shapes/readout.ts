import type { Position } from 'geojson'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { hasCrossingEdges } from './crossing.ts'
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

// Section 9 of the specification, 'Units'.

const format = (value: number, digits: number) =>
  value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits })

export function formatArea(squareMeters: number): string {
  if (squareMeters >= 1_000_000) return `${format(squareMeters / 1_000_000, 2)} km²`
  if (squareMeters >= 10_000) return `${format(squareMeters / 10_000, 2)} ha`
  return `${format(squareMeters, squareMeters < 100 ? 1 : 0)} m²`
}

export function formatDistance(meters: number): string {
  if (meters > 1_000) return `${format(meters / 1_000, 2)} km`
  return `${format(meters, meters < 100 ? 1 : 0)} m`
}
