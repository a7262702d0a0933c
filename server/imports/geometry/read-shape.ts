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

/** Whether a cell with two coordinates can only have the longitude first. */
export const isLongitudeFirst = (value: unknown): boolean =>
  typeof value === 'string' && (readPair(value.trim())?.isLongitudeFirst ?? false)

/**
 * A GeoJSON geometry, unchecked; undefined for anything else. `hasLongitudeFirst` where other cells of the column prove that two
 * coordinates in it begin with the longitude.
 */
export function readShapeOf(value: unknown, hasLongitudeFirst = false): unknown {
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
      const { first, second, isLongitudeFirst } = readPair(String(value).trim()) as Pair
      return {
        type: 'Point',
        coordinates: hasLongitudeFirst || isLongitudeFirst ? [first, second] : [second, first],
      }
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

type Pair = { first: number; second: number; isLongitudeFirst: boolean }

/** The end of a cell in parentheses, perhaps below an address; or a whole cell of two numbers with fractions. */
function readPair(text: string): Pair | undefined {
  const inside = (/\(([^()]{3,60})\)$/.exec(text)?.[1] ?? (text.length <= 60 ? text : '')).trim()
  const parts = inside.split(/[,;]/)
  const [one, two, ...others] = parts.length === 1 ? splitAtSpace(inside) : parts
  if (one === undefined || two === undefined || others.length > 0) return undefined
  const read = /^\(.*\)$/.test(text) ? readCoordinate : readFraction
  const [first, second] = [read(one.trim()), read(two.trim())]
  if (first === undefined || second === undefined) return undefined
  const isLongitudeFirst = /[EW]/i.test(one) || (Math.abs(first) > 90 && Math.abs(second) <= 90)
  return { first, second, isLongitudeFirst }
}

/** '42.39 -71.09', '42°23′30″N 71°05′58″W' and 'N 42 23.5 W 71 5.9'. */
function splitAtSpace(text: string): string[] {
  const numbers = /^([-+−]?\d+\.\d+)\s+([-+−]?\d+\.\d+)$/.exec(text)
  const directions = numbers ?? /^([^NSEW]+[NSEW])\s*([^NSEW]+[NSEW])$/i.exec(text)
  return (directions ?? /^([NSEW][^NSEW]+)([NSEW][^NSEW]+)$/i.exec(text))?.slice(1) ?? []
}

const readFraction = (text = '') =>
  /\d\s*[.°º]|[nsew]\s*$|^\s*[nsew]/i.test(text) ? readCoordinate(text.trim()) : undefined
