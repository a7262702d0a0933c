import type { Feature, Geometry, Position } from 'geojson'
import { type DrawingTool, drawingTools } from '#domain/map-configuration/map-constants.ts'
import { counted } from '#domain/values/wording.ts'
import { hasCrossingEdges } from './crossing.ts'
import { cutAtDateLine } from './cut-shape.ts'
import { cornersOf, type DrawnGeometry, type DrawnShape } from './drawn-shape.ts'

/** More do not fit into the storage of a tab. */
const maxPoints = 20_000

/** Throws an error that names the position of the first fault. */
export function readShapes(text: string, newId: () => string): DrawnShape[] {
  const features = featuresOf(parse(text))
  if (features.length === 0) throw new Error('The file has no features.')
  const shapes = features.flatMap((feature, index) => {
    const refuse = (why: string) => new Error(features.length > 1 ? `Feature ${index + 1}: ${why}` : why)
    return partsOf(feature.geometry, refuse).flatMap((part) => {
      const geometry = checked(part, refuse)
      const kind = kindOf(geometry, feature.properties?.kind)
      const properties = { ...feature.properties, kind }
      return cutAtDateLine({ type: 'Feature', id: newId(), properties, geometry })
    })
  })
  if (shapes.reduce((sum, { geometry }) => sum + cornersOf(geometry).length, 0) > maxPoints)
    throw new Error(`The file has more than ${counted(maxPoints, 'point')}.`)
  return shapes
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Each browser formats the position differently.
    const [, line, column] = /line (\d+),? column (\d+)/.exec(String(error)) ?? []
    const where = line === undefined ? '' : ` (line ${line}, column ${column})`
    throw new Error(`The file is not GeoJSON: it is not valid JSON${where}.`)
  }
}

function featuresOf(value: unknown): Pick<Feature, 'geometry' | 'properties'>[] {
  const { type, features } = (value ?? {}) as { type?: unknown; features?: unknown }
  if (type === 'FeatureCollection' && Array.isArray(features)) return features.map((feature) => feature ?? {})
  if (type === 'Feature') return [value as Feature]
  if (typeof type === 'string' && value && typeof value === 'object' && 'coordinates' in value)
    return [{ geometry: value as unknown as Geometry, properties: {} }]
  throw new Error('The file is not GeoJSON: it has no features.')
}

type Refuse = (why: string) => Error

function partsOf(geometry: Geometry | null | undefined, refuse: Refuse): unknown[] {
  if (!geometry) throw refuse('it has no geometry.')
  if (!('coordinates' in geometry)) throw refuse(`${geometry.type} geometries are not supported.`)
  const type = /^Multi(Point|LineString|Polygon)$/.exec(geometry.type)?.[1]
  if (!type) return [geometry]
  if (!Array.isArray(geometry.coordinates)) throw refuse('it has no coordinates.')
  return geometry.coordinates.map((coordinates) => ({ type, coordinates }))
}

function checked(part: unknown, refuse: Refuse): DrawnGeometry {
  const { type, coordinates } = part as { type: unknown; coordinates: unknown }
  if (type === 'Point') return { type, coordinates: position(coordinates, refuse) }
  if (type === 'LineString') {
    const path = positions(coordinates, refuse)
    if (path.length < 2) throw refuse('a line needs at least two points.')
    if (hasCrossingEdges(path, false)) throw refuse('its edges cross.')
    return { type, coordinates: path }
  }
  if (type !== 'Polygon') throw refuse(`${String(type)} geometries are not supported.`)
  if (!Array.isArray(coordinates) || coordinates.length === 0) throw refuse('it has no coordinates.')
  if (coordinates.length > 1) throw refuse('polygons with holes are not supported.')
  const ring = positions(coordinates[0], refuse)
  const [first, last] = [ring[0], ring.at(-1)]
  if (ring.length < 4) throw refuse('a polygon needs at least three points.')
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) throw refuse('its ring is not closed.')
  if (hasCrossingEdges(ring.slice(0, -1), true)) throw refuse('its edges cross.')
  return { type, coordinates: [ring] }
}

function positions(value: unknown, refuse: Refuse): Position[] {
  if (!Array.isArray(value)) throw refuse('it has no coordinates.')
  if (value.length > maxPoints) throw refuse(`it has more than ${counted(maxPoints, 'point')}.`)
  return value.map((one) => position(one, refuse))
}

/**
 * Accepts one turn beyond 180 degrees, which some programs write instead of cutting shapes. The drawing engine
 * accepts nine decimals and no heights.
 */
function position(value: unknown, refuse: Refuse): Position {
  const [lng, lat] = Array.isArray(value) ? value : []
  if (typeof lng !== 'number' || typeof lat !== 'number' || Math.abs(lng) > 540 || Math.abs(lat) > 90)
    throw refuse(`${JSON.stringify(value)?.slice(0, 60)} is not longitude and latitude.`)
  const rounded = (degrees: number) => Math.round(degrees * 1e9) / 1e9
  return [rounded(lng), rounded(lat)]
}

function kindOf(geometry: DrawnGeometry, namedKind: unknown): DrawingTool {
  const kind = drawingTools.find((name) => name === namedKind)
  const corners = cornersOf(geometry).length
  if (geometry.type === 'Point') return kind === 'circlemarker' ? kind : 'marker'
  if (geometry.type === 'LineString') return 'polyline'
  if (kind === 'rectangle' && corners === 4 && isUpright(geometry)) return kind
  return kind === 'circle' && corners === 64 ? kind : 'polygon'
}

function isUpright(geometry: DrawnGeometry): boolean {
  const corners = cornersOf(geometry)
  return ([0, 1] as const).every((axis) => {
    const values = corners.map((corner) => corner[axis] ?? 0)
    const [least, most] = [Math.min(...values), Math.max(...values)]
    return values.every((value) => value - least < 1e-7 || most - value < 1e-7)
  })
}
