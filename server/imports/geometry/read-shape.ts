import { isShortMapLink, readFromWebMap } from '#domain/geometry/read-place.ts'
import type { ShapeNotation } from '#domain/imports/import-layout.schema.ts'
import { geometryTypes } from '../formats/read-json.ts'
import { isWkb, isWkt, readWkb, readWkt } from '../formats/well-known-shapes.ts'
import { Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { readCoordinate } from '../values/read-coordinate.ts'

// A shape in a cell: well-known text or binary, GeoJSON, latitude and longitude ('(42.39, -71.09)', as Socrata writes it), or
// the address of a place on a web map.

/** How a cell notes a shape; undefined for a cell without one. Looks at its beginning and end alone. */
export function shapeNotationOf(value: unknown): ShapeNotation | undefined {
  if (typeof value === 'object' && value !== null) return isGeoJson(value) ? 'geojson' : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (isWkt(text)) return 'wkt'
  if (isWkb(text)) return 'wkb'
  if (/^\{\s*"/.test(text)) return isGeoJson(parsed(text)) ? 'geojson' : undefined
  return isShortMapLink(text) || readPair(text) ? 'latitude-longitude' : undefined
}

export type PairOrder = 'latitude-first' | 'longitude-first'

/** Tells from the cells of a column which of two coordinates comes first. */
export class PairColumn {
  hasPairs = false
  private readonly proofs = new Set<PairOrder>()

  add(value: unknown) {
    const pair = typeof value === 'string' ? readPair(value.trim()) : undefined
    if (pair) this.hasPairs = true
    if (pair?.proves) this.proofs.add(pair.proves)
  }

  get isProven(): boolean {
    return this.proofs.size > 0
  }

  /** `mixed` where some cells prove one order and some the other; people write the latitude first. */
  get order(): PairOrder | 'mixed' {
    const [order = 'latitude-first', ...others] = this.proofs
    return others.length > 0 ? 'mixed' : order
  }
}

/**
 * A GeoJSON geometry, unchecked; undefined for anything else. `order` is that of two coordinates in cells of the column that
 * could begin with either: a Refusal where they are mixed.
 */
export function readShapeOf(value: unknown, order: PairColumn['order'] = 'latitude-first'): unknown {
  switch (shapeNotationOf(value)) {
    case 'wkt':
      return readWkt(String(value))
    case 'wkb':
      return readWkb(String(value).trim())
    case 'geojson': {
      const read = typeof value === 'string' ? parsed(value) : value
      return withItsSystem(
        (read as { type?: unknown }).type === 'Feature' ? (read as { geometry?: unknown }).geometry : read,
      )
    }
    case 'latitude-longitude': {
      const pair = readPair(String(value).trim())
      if (!pair)
        throw new Refusal(
          `its short link ${quoteValue(value)} does not contain the place; open it in a browser, and copy the long address or the coordinates into the file`,
        )
      const { first, second, proves } = pair
      const ofCell = proves ?? order
      if (ofCell === 'mixed')
        throw new Refusal(
          `its place ${quoteValue(value)} could have the latitude or the longitude first, as other rows have the one and the other`,
        )
      return { type: 'Point', coordinates: ofCell === 'longitude-first' ? [first, second] : [second, first] }
    }
    default:
      return undefined
  }
}

function isGeoJson(value: unknown): boolean {
  const type = (value as { type?: unknown } | null)?.type
  return typeof type === 'string' && (geometryTypes.includes(type) || type === 'Feature')
}

/** PostGIS names the reference system as `crs`, as GeoJSON of 2008 did. */
function withItsSystem(shape: unknown): unknown {
  const name = (shape as { crs?: { properties?: { name?: unknown } } } | null)?.crs?.properties?.name
  const number = /\bEPSG:+(\d{1,9})$/i.exec(String(name))?.[1]
  return number === undefined ? shape : { ...(shape as object), srid: Number(number) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A latitude is at most 90, and a longitude lies in the east or west. */
type Pair = { first: number; second: number; proves: PairOrder | null }

/**
 * The end of a cell in parentheses, perhaps below an address; a whole cell of two numbers with fractions; or the address of a
 * place on a web map.
 */
function readPair(text: string): Pair | undefined {
  const copied = readFromWebMap(text)
  if (copied) return { first: copied[1], second: copied[0], proves: 'latitude-first' }
  const inside = (/\(([^()]{3,60})\)$/.exec(text)?.[1] ?? (text.length <= 60 ? text : '')).trim()
  const parts = inside.split(/[,;]/)
  const [one, two, ...others] = parts.length === 1 ? splitAtSpace(inside) : parts
  if (one === undefined || two === undefined || others.length > 0) return undefined
  const read = /^\(.*\)$/.test(text) ? readCoordinate : readFraction
  const [first, second] = [read(one.trim()), read(two.trim())]
  if (first === undefined || second === undefined) return undefined
  const isLongitude = (text: string, degrees: number) => /[EW]/i.test(text) || Math.abs(degrees) > 90
  const [isFirst, isSecond] = [isLongitude(one, first), isLongitude(two, second)]
  const proves = isFirst === isSecond ? null : isFirst ? 'longitude-first' : 'latitude-first'
  return { first, second, proves }
}

/** '42.39 -71.09', '42°23′30″N 71°05′58″W' and 'N 42 23.5 W 71 5.9'. */
function splitAtSpace(text: string): string[] {
  const numbers = /^([-+−]?\d+\.\d+)\s+([-+−]?\d+\.\d+)$/.exec(text)
  const directions = numbers ?? /^([^NSEW]+[NSEW])\s*([^NSEW]+[NSEW])$/i.exec(text)
  return (directions ?? /^([NSEW][^NSEW]+)([NSEW][^NSEW]+)$/i.exec(text))?.slice(1) ?? []
}

const readFraction = (text = '') =>
  /\d\s*[.°º]|[nsew]\s*$|^\s*[nsew]/i.test(text) ? readCoordinate(text.trim()) : undefined
