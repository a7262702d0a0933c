import { type Geometry, maxVertices, type Position } from '#domain/geometry/geometry.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { geometryTypes, isObject } from '../formats/read-json.ts'
import { MisplacedRefusal, Refusal } from '../import-error.ts'
import type { Projection } from '../projections/find-projection.ts'
import { quoteValue } from '../quote-value.ts'

export type Coordinates = {
  /** Whether latitude comes before longitude, or y before x. */
  isSwapped: boolean
  /** Undefined for longitude and latitude. */
  projection?: Projection | undefined
  named?: ReadonlyMap<number, Projection> | undefined
}

type Extent = [west: number, south: number, east: number, north: number]

/** Called with a description of each repair, as half a sentence. */
export type OnRepair = (what: string) => void

type Reading = {
  coordinates: Coordinates
  count: number
  onRepair: OnRepair
  zero?: Position
  extent: Extent
}

type Part = { type: string; coordinates: unknown }

/** Drops elevations, empty parts and label points. Throws a Refusal with the reason. */
export function readGeometry(
  value: unknown,
  coordinates: Coordinates = { isSwapped: false },
  onRepair: OnRepair = () => {},
): Geometry {
  if (isEmptyShape(value)) throw new Refusal('it has no geometry')
  const part = singlePart(value, onRepair)
  const extent: Extent = [Infinity, Infinity, -Infinity, -Infinity]
  const reading: Reading = { count: 0, coordinates: coordinatesOf(value, coordinates), onRepair, extent }
  const geometry = readPart(part, reading)
  requireRealCorners(reading)
  return geometry
}

export function isEmptyShape(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (!isCollection(value)) return isEmptyPart(value)
  const { geometries } = value
  return Array.isArray(geometries) && geometries.every((part) => part === null || isEmptyPart(part))
}

function readPart({ type, coordinates }: Part, reading: Reading): Geometry {
  switch (type) {
    case 'Point':
      return { type, coordinates: readPoint(coordinates, reading) }
    case 'MultiPoint':
      return { type, coordinates: readList(coordinates, reading, 'point', readPoint) }
    case 'LineString':
      return { type, coordinates: readLine(coordinates, reading) }
    case 'MultiLineString':
      return { type, coordinates: readList(coordinates, reading, 'line', readLine) }
    case 'Polygon':
      return { type, coordinates: readPolygon(coordinates, reading) }
    case 'MultiPolygon':
      return { type, coordinates: readList(coordinates, reading, 'polygon', readPolygon) }
    default:
      throw new Refusal(
        `its geometry type ${quoteValue(type)} is not one of ${geometryTypes.slice(0, -1).join(', ')}`,
      )
  }
}

/** Points beside lines or polygons are labels, and are dropped. */
function singlePart(value: unknown, onRepair: OnRepair): Part {
  if (!isCollection(value)) return toPart(value)
  const { parts, empty } = partsOf(value)
  const kinds = new Set(parts.map(({ type }) => type.replace('Multi', '')))
  const hasLabels = kinds.size > 1 && kinds.delete('Point')
  const [kind, other] = kinds
  if (kind === undefined) throw new Refusal('it has no geometry')
  if (other !== undefined)
    throw new Refusal(
      `its geometry is a GeometryCollection of ${nouns[kind]}s and ${nouns[other]}s; split it into features of one type`,
    )
  const used = parts.filter(({ type }) => type.endsWith(kind))
  reportEmptyParts(empty, onRepair)
  if (hasLabels) {
    const count = parts.length - used.length
    const labels = counted(count, 'label point')
    onRepair(`${labels} removed`)
  }
  const [first] = used
  if (first && used.length === 1) return first
  const coordinates = used.flatMap(({ type, coordinates }) =>
    type.startsWith('Multi') ? requireList(coordinates, 'its list of coordinates') : [coordinates],
  )
  return { type: `Multi${kind}`, coordinates }
}

const nouns: Record<string, string> = { Point: 'point', LineString: 'line', Polygon: 'polygon' }

const isCollection = (value: unknown): value is { geometries?: unknown } =>
  isObject(value) && value.type === 'GeometryCollection'

function partsOf(collection: { geometries?: unknown }): { parts: Part[]; empty: number } {
  const parts: Part[] = []
  const open: unknown[] = [collection]
  let empty = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isCollection(next)) {
      const inside = requireList(next.geometries ?? [], 'its list of geometries')
      for (const part of inside.toReversed()) open.push(part ?? { coordinates: [] })
    } else if (isEmptyPart(next)) empty++
    else {
      const part = toPart(next)
      if (!geometryTypes.includes(part.type))
        throw new Refusal(`its GeometryCollection has a part of type ${quoteValue(part.type)}`)
      parts.push(part)
    }
    if (parts.length + empty > maxVertices)
      throw new Refusal(`its geometry has more than ${maxVertices} parts`)
  }
  return { parts, empty }
}

const isEmptyPart = (value: unknown) => isEmpty((value as { coordinates?: unknown }).coordinates)

/** A MultiPolygon has four nested lists. Cells may be nested as deep as they are long. */
const maxLevels = 5

const isEmpty = (value: unknown, levels = maxLevels): boolean =>
  Array.isArray(value) && levels > 0 && value.every((item) => isEmpty(item, levels - 1))

function toPart(value: unknown): Part {
  if (!isObject(value)) throw new Refusal(`its geometry is ${quoteValue(value)} instead of an object`)
  const { type, coordinates } = value
  if (coordinates === undefined && geometryTypes.includes(String(type)))
    throw new Refusal('its geometry has no coordinates')
  return { type: type as string, coordinates }
}

function reportEmptyParts(count: number, onRepair: OnRepair) {
  if (count > 0) onRepair(`${counted(count, 'empty part')} removed`)
}

/** Degrees of WGS 84 and of NAD83. */
const inDegrees = [0, 4326, 4269]
const webMercator = 3857
const oldWebMercator = [900913, 3785, 102100, 102113]

export function projectionNamedBy(shape: unknown): number | undefined {
  const srid = (shape as { srid?: unknown } | null | undefined)?.srid
  if (typeof srid !== 'number' || inDegrees.includes(srid)) return undefined
  return oldWebMercator.includes(srid) ? webMercator : srid
}

/** A reference system that the shape names itself overrides that of the file. */
function coordinatesOf(shape: unknown, ofFile: Coordinates): Coordinates {
  const { srid } = shape as { srid?: unknown }
  if (typeof srid !== 'number' || srid === 0) return ofFile
  const { isSwapped } = ofFile
  const named = projectionNamedBy(shape)
  if (named === undefined) return { isSwapped }
  if (ofFile.projection?.code === `EPSG:${named}`) return ofFile
  const projection = ofFile.named?.get(named)
  if (projection) return { isSwapped, projection }
  throw new Refusal(`its shape is in EPSG:${named}, which is not supported here; convert it to EPSG:4326`)
}

function requireList(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new Refusal(`${what} is ${quoteValue(value)} instead of a list`)
}

function readList<Item>(
  value: unknown,
  reading: Reading,
  what: string,
  read: (item: unknown, reading: Reading) => Item,
): Item[] {
  const items = requireList(value, 'its list of coordinates')
  const filled = items.filter((item) => !isEmpty(item))
  if (filled.length === 0) throw new Refusal(`its geometry has no ${what}`)
  reportEmptyParts(items.length - filled.length, reading.onRepair)
  return filled.map((item) => read(item, reading))
}

function readPoint(value: unknown, reading: Reading): Position {
  if (Array.isArray(value)) requireRealPlace(value)
  return readPosition(value, reading)
}

/** Files have 0, 0 for unknown places. No land is there, and in a projection it is the corner of the grid. */
export function requireRealPlace([first, second]: readonly unknown[]) {
  if (isZero(first) && isZero(second)) throw new Refusal('its location is longitude 0, latitude 0')
}

/** In degrees. A corner at 0, 0 this far from the others is an unknown place. */
const farFromZero = 1

function requireRealCorners({ zero, extent: [west, south, east, north] }: Reading) {
  if (!zero) return
  const [lng, lat] = zero
  if (Math.max(lng - west, east - lng, lat - south, north - lat) > farFromZero)
    throw new Refusal('one of its corners is at longitude 0, latitude 0, far from the others')
}

/** Some programs write numbers as text. */
const decimal = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i
const toNumber = (value: unknown) =>
  typeof value === 'string' && decimal.test(value)
    ? Number(value)
    : typeof value === 'number'
      ? value
      : undefined
const isZero = (value: unknown) => toNumber(value) === 0

function readPosition(value: unknown, reading: Reading): Position {
  if (!Array.isArray(value) || value.length < 2)
    throw new Refusal(`position ${quoteValue(value)} is not a pair of longitude and latitude`)
  if (++reading.count > maxVertices) throw new Refusal(`its geometry has more than ${maxVertices} vertices`)
  const { coordinates, onRepair, extent } = reading
  const names = coordinates.isSwapped ? ['latitude', 'longitude'] : ['longitude', 'latitude']
  const [first = 0, second = 0] = names.map((name, index) => {
    const number = toNumber(value[index])
    if (number === undefined) throw new Refusal(`${name} ${quoteValue(value[index])} is not a number`)
    return number
  })
  const lngLat = toLngLat([first, second], coordinates, onRepair)
  if (first === 0 && second === 0) reading.zero = lngLat
  const [lng, lat] = lngLat
  if (lng < extent[0]) extent[0] = lng
  if (lat < extent[1]) extent[1] = lat
  if (lng > extent[2]) extent[2] = lng
  if (lat > extent[3]) extent[3] = lat
  return lngLat
}

export function toLngLat(
  [first, second]: Position,
  { isSwapped, projection }: Coordinates,
  onRepair: OnRepair,
): Position {
  const [x, y] = isSwapped ? [second, first] : [first, second]
  if (!projection) return checkLngLat(x, y, onRepair)
  const [lng, lat] = projection.toDegrees(x, y)
  if (Math.abs(lng) <= 180 && Math.abs(lat) <= 90) return [lng, lat]
  throw new Refusal(`position ${quoteValue([x, y])} is outside of ${projection.code}`)
}

/** Web maps continue longitudes on copies of the world beside it, and some programs count from 0 to 360. */
export const maxLongitude = 540

function checkLngLat(lng: number, lat: number, onRepair: OnRepair): Position {
  const isOnCopy = Math.abs(lng) > 180 && Math.abs(lng) <= maxLongitude
  const problem =
    (isOnCopy ? undefined : problemBeyond(lng, 'longitude', 180)) ?? problemBeyond(lat, 'latitude', 90)
  if (problem) throw new MisplacedRefusal(problem, [lng, lat])
  if (!isOnCopy) return [lng, lat]
  onRepair(`longitudes beyond ${lng > 0 ? 180 : -180} were shifted by 360 degrees`)
  // Without the digits that the subtraction adds.
  return [Number((lng - Math.sign(lng) * 360).toFixed(12)), lat]
}

const problemBeyond = (value: number, what: string, limit: number) =>
  Math.abs(value) <= limit ? undefined : `${what} ${quoteValue(value)} is not between -${limit} and ${limit}`

function readLine(value: unknown, reading: Reading): Position[] {
  const positions = requireList(value, 'a line').map((item) => readPosition(item, reading))
  const [first] = positions
  if (!first || positions.every((item) => isSame(item, first)))
    throw new Refusal('a line has fewer than 2 different positions')
  return positions
}

function readPolygon(value: unknown, reading: Reading): Position[][] {
  const rings = requireList(value, 'a polygon')
  if (rings.length === 0 || isEmpty(rings[0])) throw new Refusal('a polygon has no ring')
  const filled = rings.filter((ring) => !isEmpty(ring))
  reportEmptyParts(rings.length - filled.length, reading.onRepair)
  return filled.map((ring) => {
    const positions = requireList(ring, 'a ring').map((item) => readPosition(item, reading))
    return closeRing(positions, reading.onRepair)
  })
}

function closeRing(ring: Position[], onRepair: OnRepair): Position[] {
  const [first, last] = [ring[0], ring.at(-1)]
  if (!first || !last) throw new Refusal('a ring has no positions')
  if (isSame(first, last)) {
    if (ring.length >= 4) return ring
    throw new Refusal(`a ring has ${ring.length} positions; it needs at least 4`)
  }
  if (new Set(ring.map(String)).size < 3)
    throw new Refusal('a ring is not closed and has fewer than 3 different corners')
  onRepair(`a ring was closed at ${first.join(', ')}`)
  return [...ring, first]
}

const isSame = (one: Position, other: Position) => one[0] === other[0] && one[1] === other[1]
