import type { ShapeNotation } from '#domain/imports/import-layout.schema.ts'
import { geometryTypes } from '../formats/read-json.ts'
import { isWkb, readWkb } from '../formats/read-wkb.ts'
import { readWkt } from '../formats/read-wkt.ts'
import { readCoordinate } from '../values/read-coordinate.ts'

// A shape in a cell: well-known text or binary, GeoJSON, or latitude and longitude ('(42.39, -71.09)', as Socrata writes it).

/** How a cell notes a shape; undefined for a cell without one. Looks at its beginning and end alone. */
export function shapeNotationOf(value: unknown): ShapeNotation | undefined {
  if (typeof value === 'object' && value !== null) return isGeoJson(value) ? 'geojson' : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (/^(srid=\d+;)?\s*(multi)?(point|linestring|polygon)\s*(zm?|m)?\s*\(/i.test(text)) return 'wkt'
  if (isWkb(text)) return 'wkb'
  if (/^\{\s*"/.test(text)) return isGeoJson(parsed(text)) ? 'geojson' : undefined
  return readPair(text) ? 'latitude-longitude' : undefined
}

/** A GeoJSON geometry, unchecked; undefined for anything else. */
export function readShapeOf(value: unknown): unknown {
  switch (shapeNotationOf(value)) {
    case 'wkt':
      return readWkt(String(value))
    case 'wkb':
      return readWkb(String(value).trim())
    case 'geojson': {
      const read = typeof value === 'string' ? parsed(value) : value
      return (read as { type?: unknown }).type === 'Feature'
        ? (read as { geometry?: unknown }).geometry
        : read
    }
    case 'latitude-longitude': {
      const [latitude, longitude] = readPair(String(value).trim()) as [number, number]
      return { type: 'Point', coordinates: [longitude, latitude] }
    }
    default:
      return undefined
  }
}

function isGeoJson(value: unknown): boolean {
  const type = (value as { type?: unknown } | null)?.type
  return typeof type === 'string' && (geometryTypes.includes(type) || type === 'Feature')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The end of a cell in parentheses, perhaps below an address; or a whole cell of two numbers with fractions. */
function readPair(text: string): [number, number] | undefined {
  const inside = /\(([^()]{3,60})\)$/.exec(text)?.[1] ?? (text.length <= 60 ? text : '')
  const [first, second, ...others] = inside.split(/[,;]/)
  if (second === undefined || others.length > 0) return undefined
  const read = /^\(.*\)$/.test(text) ? readCoordinate : readFraction
  const [one, other] = [read(first?.trim()), read(second.trim())]
  if (one === undefined || other === undefined) return undefined
  // What is no latitude is the longitude.
  return Math.abs(one) > 90 && Math.abs(other) <= 90 ? [other, one] : [one, other]
}

const readFraction = (text = '') =>
  /\d\s*[.°º]|[nsew]\s*$/i.test(text) ? readCoordinate(text.trim()) : undefined
