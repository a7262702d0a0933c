import { type Geometry, maxVertices, type Position } from '#domain/geometry/geometry.schema.ts'
import { geometryTypes } from '../formats/read-json.ts'
import { MisplacedRefusal, Refusal } from '../import-error.ts'
import type { Projection } from '../projections/projection.ts'
import { quoteValue } from '../quote-value.ts'

/** How the coordinates of a file are meant. */
export type Coordinates = {
  /** Whether latitude stands before longitude, or y before x. */
  isSwapped: boolean
  /** What they are in; undefined for longitude and latitude. */
  projection?: Projection | undefined
  /** Projections that shapes of the file name themselves, by their number. */
  named?: ReadonlyMap<number, Projection> | undefined
}

const asTheyAre: Coordinates = { isSwapped: false }

type Extent = [west: number, south: number, east: number, north: number]

/** Called with what was changed to make a geometry valid, as half a sentence. */
export type OnRepair = (what: string) => void

/** What is common to all positions of a geometry. */
type Reading = {
  coordinates: Coordinates
  count: number
  onRepair: OnRepair
  zero?: Position
  extent: Extent
}

type Part = { type: string; coordinates: unknown }

/**
 * A GeoJSON geometry as ours: checked, without elevations, empty parts and label points. Throws a Refusal with the reason
 * if it cannot be read.
 */
export function readGeometry(
  value: unknown,
  meant: Coordinates = asTheyAre,
  onRepair: OnRepair = () => {},
): Geometry {
  if (isEmptyShape(value)) throw new Refusal('it has no geometry')
  const { type, coordinates } = onePart(value, onRepair)
  const extent: Extent = [Infinity, Infinity, -Infinity, -Infinity]
  const reading: Reading = { count: 0, coordinates: inSystemOf(value, meant), onRepair, extent }
  const geometry = readParts(type, coordinates, reading)
  requireRealCorners(reading)
  return geometry
}

/** Whether there is no place in it: null, 'POINT EMPTY', a collection without parts. */
export function isEmptyShape(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (!isCollection(value)) return isEmptyPart(value)
  // Deeper ones are judged part by part.
  const { geometries } = value
  return Array.isArray(geometries) && geometries.every((part) => part === null || isEmptyPart(part))
}

function readParts(type: unknown, coordinates: unknown, reading: Reading): Geometry {
  switch (type) {
    case 'Point':
      return { type, coordinates: point(coordinates, reading) }
    case 'MultiPoint':
      return { type, coordinates: some(coordinates, reading, { what: 'point', read: point }) }
    case 'LineString':
      return { type, coordinates: line(coordinates, reading) }
    case 'MultiLineString':
      return { type, coordinates: some(coordinates, reading, { what: 'line', read: line }) }
    case 'Polygon':
      return { type, coordinates: polygon(coordinates, reading) }
    case 'MultiPolygon':
      return { type, coordinates: some(coordinates, reading, { what: 'polygon', read: polygon }) }
    default:
      throw new Refusal(
        `its geometry type ${quoteValue(type)} is none of ${geometryTypes.slice(0, -1).join(', ')}`,
      )
  }
}

/** The shape itself, or the parts of a collection as one shape. */
function onePart(value: unknown, onRepair: OnRepair): Part {
  if (!isCollection(value)) return partOf(value)
  const { parts, empty } = partsOf(value)
  const kinds = new Set(parts.map(({ type }) => type.replace('Multi', '')))
  const isLabeled = kinds.size > 1 && kinds.delete('Point')
  const [kind, other] = kinds
  if (kind === undefined) throw new Refusal('it has no geometry')
  if (other !== undefined)
    throw new Refusal(
      `its geometry is a GeometryCollection of ${nouns[kind]} and ${nouns[other]}; divide it into features of one kind`,
    )
  const used = parts.filter(({ type }) => type.endsWith(kind))
  noteEmpty(empty, onRepair)
  if (isLabeled) noteLabels(parts.length - used.length, kind, onRepair)
  const [first] = used
  if (first && used.length === 1) return first
  const coordinates = used.flatMap(({ type, coordinates }) =>
    type.startsWith('Multi') ? list(coordinates, 'its list of coordinates') : [coordinates],
  )
  return { type: `Multi${kind}`, coordinates }
}

const nouns: Record<string, string> = { Point: 'points', LineString: 'lines', Polygon: 'polygons' }

const isCollection = (value: unknown): value is { geometries?: unknown } =>
  (value as { type?: unknown } | null)?.type === 'GeometryCollection'

/** Of collections in collections as well. */
function partsOf(collection: { geometries?: unknown }): { parts: Part[]; empty: number } {
  const parts: Part[] = []
  const open: unknown[] = [collection]
  let empty = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isCollection(next)) {
      const inside = list(next.geometries ?? [], 'its list of geometries')
      for (let index = inside.length - 1; index >= 0; index--) open.push(inside[index] ?? emptyPart)
    } else if (isEmptyPart(next)) empty++
    else {
      const part = partOf(next)
      if (!geometryTypes.includes(part.type))
        throw new Refusal(`its GeometryCollection has a part of the type ${quoteValue(part.type)}`)
      parts.push(part)
    }
    if (parts.length + empty > maxVertices)
      throw new Refusal(`its geometry has more than ${maxVertices} parts`)
  }
  return { parts, empty }
}

const emptyPart = { coordinates: [] }

const isEmptyPart = (value: unknown) => isEmpty((value as { coordinates?: unknown }).coordinates)

/** A MultiPolygon has four lists in each other. Cells may be nested as deep as they are long. */
const mostLevels = 5

/** A list without any number or text in it. */
const isEmpty = (value: unknown, levels = mostLevels): boolean =>
  Array.isArray(value) && levels > 0 && value.every((item) => isEmpty(item, levels - 1))

function partOf(value: unknown): Part {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(`its geometry is ${quoteValue(value)} instead of an object`)
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown }
  if (coordinates === undefined && geometryTypes.includes(String(type)))
    throw new Refusal('its geometry has no coordinates')
  return { type: type as string, coordinates }
}

function noteEmpty(count: number, onRepair: OnRepair) {
  if (count > 0) onRepair(count === 1 ? 'an empty part was left out' : `${count} empty parts were left out`)
}

function noteLabels(count: number, kind: string, onRepair: OnRepair) {
  const points = count === 1 ? 'a label point' : `${count} label points`
  onRepair(
    `${points} beside its ${kind === 'Polygon' ? 'polygon' : 'line'} ${count === 1 ? 'was' : 'were'} left out`,
  )
}

/** Degrees of WGS 84 and of NAD83. */
const inDegrees = [0, 4326, 4269]
/** Web Mercator, and the numbers that it had before. */
const webMercator = 3857
const oldWebMercator = [900913, 3785, 102100, 102113]

/** Number of the projection that a shape names itself; undefined where it names none, or degrees. */
export function projectionNamedBy(shape: unknown): number | undefined {
  const srid = (shape as { srid?: unknown } | null | undefined)?.srid
  if (typeof srid !== 'number' || inDegrees.includes(srid)) return undefined
  return oldWebMercator.includes(srid) ? webMercator : srid
}

/** A shape may name its reference system itself. */
function inSystemOf(shape: unknown, meant: Coordinates): Coordinates {
  const { srid } = shape as { srid?: unknown }
  if (typeof srid !== 'number' || srid === 0) return meant
  const { isSwapped } = meant
  const named = projectionNamedBy(shape)
  if (named === undefined) return { isSwapped }
  if (meant.projection?.code === `EPSG:${named}`) return meant
  const projection = meant.named?.get(named)
  if (projection) return { isSwapped, projection }
  throw new Refusal(`its shape is in EPSG:${named}, which cannot be read here; convert it to EPSG:4326`)
}

function list(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new Refusal(`${what} is ${quoteValue(value)} instead of a list`)
}

function some<Part>(
  value: unknown,
  reading: Reading,
  { what, read }: { what: string; read: (item: unknown, reading: Reading) => Part },
): Part[] {
  const items = list(value, 'its list of coordinates')
  const filled = items.filter((item) => !isEmpty(item))
  if (filled.length === 0) throw new Refusal(`its geometry has no ${what}`)
  noteEmpty(items.length - filled.length, reading.onRepair)
  return filled.map((item) => read(item, reading))
}

function point(value: unknown, reading: Reading): Position {
  if (Array.isArray(value)) requireRealPlace(value)
  return position(value, reading)
}

/** Files put 0, 0 where they know no place; nobody owns land there. In a projection, too, it is the corner of its grid. */
export function requireRealPlace([first, second]: readonly unknown[]) {
  if (isZero(first) && isZero(second)) throw new Refusal('longitude 0 and latitude 0 are no real place')
}

/** A corner at 0, 0 of a shape that lies elsewhere is a place that nobody knows, too: degrees from its other corners. */
const farFromZero = 1

function requireRealCorners({ zero, extent: [west, south, east, north] }: Reading) {
  if (!zero) return
  const [lng, lat] = zero
  if (Math.max(lng - west, east - lng, lat - south, north - lat) > farFromZero)
    throw new Refusal('one of its corners is at longitude 0 and latitude 0, far from the others')
}

const isZero = (value: unknown) =>
  (typeof value === 'string' && decimal.test(value) ? Number(value) : value) === 0

function position(value: unknown, reading: Reading): Position {
  if (!Array.isArray(value) || value.length < 2)
    throw new Refusal(`position ${quoteValue(value)} is no pair of longitude and latitude`)
  if (++reading.count > maxVertices) throw new Refusal(`its geometry has more than ${maxVertices} vertices`)
  const names = reading.coordinates.isSwapped ? ['latitude', 'longitude'] : ['longitude', 'latitude']
  const [first, second] = names.map((name, index) => readCoordinate(value[index], name))
  const place = placeOf([first as number, second as number], reading.coordinates, reading.onRepair)
  if (first === 0 && second === 0) reading.zero = place
  const [lng, lat] = place
  const { extent } = reading
  if (lng < extent[0]) extent[0] = lng
  if (lat < extent[1]) extent[1] = lat
  if (lng > extent[2]) extent[2] = lng
  if (lat > extent[3]) extent[3] = lat
  return place
}

/** Some programs write numbers as text. */
const decimal = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i

function readCoordinate(value: unknown, what: string): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string' && decimal.test(value)) return Number(value)
  throw new Refusal(`${what} ${quoteValue(value)} is not a number`)
}

/** Where on earth a pair of coordinates is; throws a Refusal where it is nowhere. */
export function placeOf(
  [first, second]: Position,
  { isSwapped, projection }: Coordinates,
  onRepair: OnRepair,
): Position {
  const [x, y] = isSwapped ? [second, first] : [first, second]
  if (!projection) return checkPosition(x, y, onRepair)
  const [lng, lat] = projection.toDegrees(x, y)
  if (Math.abs(lng) <= 180 && Math.abs(lat) <= 90) return [lng, lat]
  throw new Refusal(`position ${quoteValue([x, y])} is no place in ${projection.code}`)
}

/** Web maps draw copies of the world beside it and count on there, and some programs count from 0 to 360. */
export const mostLongitude = 540

function checkPosition(lng: number, lat: number, onRepair: OnRepair): Position {
  const isOnCopy = Math.abs(lng) > 180 && Math.abs(lng) <= mostLongitude
  const problem = (isOnCopy ? undefined : beyond(lng, 'longitude', 180)) ?? beyond(lat, 'latitude', 90)
  if (problem) throw new MisplacedRefusal(problem, [lng, lat])
  if (!isOnCopy) return [lng, lat]
  onRepair(`longitudes beyond ${lng > 0 ? 180 : -180} were turned by 360 degrees`)
  // Without the digits that only the subtraction adds.
  return [Number((lng - Math.sign(lng) * 360).toFixed(12)), lat]
}

function beyond(value: number, what: string, limit: number): string | undefined {
  if (Math.abs(value) <= limit) return undefined
  return `${what} ${quoteValue(value)} is not between -${limit} and ${limit}`
}

function line(value: unknown, reading: Reading): Position[] {
  const positions = list(value, 'a line').map((item) => position(item, reading))
  const [first] = positions
  if (!first || positions.every((item) => isSame(item, first)))
    throw new Refusal('a line has fewer than 2 different positions')
  return positions
}

function polygon(value: unknown, reading: Reading): Position[][] {
  const rings = list(value, 'a polygon')
  if (rings.length === 0 || isEmpty(rings[0])) throw new Refusal('a polygon has no ring')
  const filled = rings.filter((ring) => !isEmpty(ring))
  noteEmpty(rings.length - filled.length, reading.onRepair)
  return filled.map((ring) =>
    closed(
      list(ring, 'a ring').map((item) => position(item, reading)),
      reading,
    ),
  )
}

function closed(ring: Position[], { onRepair }: Reading): Position[] {
  const [first, last] = [ring[0], ring.at(-1)]
  if (!first || !last) throw new Refusal('a ring has no positions')
  if (isSame(first, last)) {
    if (ring.length >= 4) return ring
    throw new Refusal(`a ring has ${ring.length} positions; it needs at least 4`)
  }
  if (new Set(ring.map(String)).size < 3)
    throw new Refusal('a ring is not closed, and has fewer than 3 different corners')
  onRepair(`a ring was not closed: it was closed at ${first.join(', ')}`)
  return [...ring, first]
}

function isSame(a: Position, b: Position): boolean {
  return a[0] === b[0] && a[1] === b[1]
}
