import { isShortMapLink, readFromWebMap } from '#domain/geometry/read-place.ts'
import type { ShapeNotation } from '#domain/imports/import-layout.schema.ts'
import { tryParseJson } from '../formats/parse-json.ts'
import { geometryTypes, isObject, type JsonObject } from '../formats/read-json.ts'
import { isWkb, isWkt, readWkb, readWkt } from '../formats/well-known-shapes.ts'
import { Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { readCoordinate } from '../values/read-coordinate.ts'

// A shape in a cell: well-known text or binary, GeoJSON, latitude and longitude ('(42.39, -71.09)', as Socrata writes
// it), or a link to a place on a web map.

export function shapeNotationOf(value: unknown): ShapeNotation | undefined {
  if (typeof value !== 'string') return isGeoJson(value) ? 'geojson' : undefined
  const text = value.trim()
  if (isWkt(text)) return 'wkt'
  if (isWkb(text)) return 'wkb'
  if (/^\{\s*"/.test(text)) return isGeoJson(tryParseJson(text)) ? 'geojson' : undefined
  return isShortMapLink(text) || readPair(text) ? 'latitude-longitude' : undefined
}

export type PairOrder = 'latitude-first' | 'longitude-first'

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

  /** `mixed` if some cells prove one order and some the other. Latitude first is the usual order. */
  get order(): PairOrder | 'mixed' {
    const [order = 'latitude-first', ...others] = this.proofs
    return others.length > 0 ? 'mixed' : order
  }
}

/**
 * Undefined for any other value. `order` applies to pairs that prove no order themselves; throws a Refusal for such a
 * pair if it is mixed.
 */
export function readShapeOf(value: unknown, order: PairColumn['order'] = 'latitude-first'): unknown {
  const text = String(value).trim()
  switch (shapeNotationOf(value)) {
    case 'wkt':
      return readWkt(text)
    case 'wkb':
      return readWkb(text)
    case 'geojson': {
      const json = typeof value === 'string' ? tryParseJson(value) : value
      return withSrid(isObject(json) && json.type === 'Feature' ? json.geometry : json)
    }
    case 'latitude-longitude': {
      const pair = readPair(text)
      if (!pair)
        throw new Refusal(
          `its short link ${quoteValue(value)} has no location; open it in a browser, and copy the full URL or the coordinates into the file`,
        )
      const { first, second, proves } = pair
      const pairOrder = proves ?? order
      if (pairOrder === 'mixed')
        throw new Refusal(
          `its location ${quoteValue(value)} is ambiguous: other rows have latitude first as well as longitude first`,
        )
      const isSwapped = pairOrder === 'latitude-first'
      return { type: 'Point', coordinates: isSwapped ? [second, first] : [first, second] }
    }
    default:
      return undefined
  }
}

const isGeoJson = (value: unknown): value is JsonObject =>
  isObject(value) && (value.type === 'Feature' || geometryTypes.includes(String(value.type)))

/** PostGIS names the reference system as `crs`, as GeoJSON of 2008 did. */
function withSrid(shape: unknown): unknown {
  const name = (shape as { crs?: { properties?: { name?: unknown } } } | null)?.crs?.properties?.name
  const number = /\bEPSG:+(\d{1,9})$/i.exec(String(name))?.[1]
  return number === undefined ? shape : { ...(shape as object), srid: Number(number) }
}

type Pair = { first: number; second: number; proves: PairOrder | null }

/**
 * Reads two coordinates at the end of a cell in parentheses, perhaps after an address; a cell of two numbers with
 * fractions; or a link to a place on a web map. Latitudes are at most 90, and only longitudes are east or west.
 */
function readPair(text: string): Pair | undefined {
  const linked = readFromWebMap(text)
  if (linked) return { first: linked[1], second: linked[0], proves: 'latitude-first' }
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

const readFraction = (text: string) =>
  /\d\s*[.°º]|[nsew]\s*$|^\s*[nsew]/i.test(text) ? readCoordinate(text) : undefined
