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
}

const asTheyAre: Coordinates = { isSwapped: false }

/** What is common to all positions of a geometry. */
type Reading = { coordinates: Coordinates; count: number; zero?: Position; extent: Extent }
type Extent = [west: number, south: number, east: number, north: number]

/** A GeoJSON geometry as ours: checked, and without elevations. Throws a Refusal that says what is wrong. */
export function readGeometry(value: unknown, meant: Coordinates = asTheyAre): Geometry {
  if (value === null || value === undefined) throw new Refusal('it has no geometry')
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Refusal(`its geometry is ${quoteValue(value)} instead of an object`)
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown }
  if (type === 'GeometryCollection')
    throw new Refusal('its geometry is a GeometryCollection; only points, lines and polygons can be imported')
  if (coordinates === undefined && geometryTypes.includes(String(type)))
    throw new Refusal('its geometry has no coordinates')
  const extent: Extent = [Infinity, Infinity, -Infinity, -Infinity]
  const reading: Reading = { count: 0, coordinates: inSystemOf(value, meant), extent }
  const geometry = readParts(type, coordinates, reading)
  requireRealCorners(reading)
  return geometry
}

function readParts(type: unknown, coordinates: unknown, reading: Reading): Geometry {
  switch (type) {
    case 'Point':
      return { type, coordinates: point(coordinates, reading) }
    case 'MultiPoint':
      return { type, coordinates: some(coordinates, 'point', (item) => point(item, reading)) }
    case 'LineString':
      return { type, coordinates: line(coordinates, reading) }
    case 'MultiLineString':
      return { type, coordinates: some(coordinates, 'line', (item) => line(item, reading)) }
    case 'Polygon':
      return { type, coordinates: polygon(coordinates, reading) }
    case 'MultiPolygon':
      return { type, coordinates: some(coordinates, 'polygon', (item) => polygon(item, reading)) }
    default:
      throw new Refusal(
        `its geometry type ${quoteValue(type)} is none of ${geometryTypes.slice(0, -1).join(', ')}`,
      )
  }
}

/** Degrees of WGS 84 and of NAD83. */
const inDegrees = [0, 4326, 4269]

/** A shape may name its reference system itself. */
function inSystemOf({ srid }: { srid?: unknown }, meant: Coordinates): Coordinates {
  if (typeof srid !== 'number') return meant
  if (inDegrees.includes(srid)) return srid === 0 ? meant : { isSwapped: meant.isSwapped }
  if (meant.projection?.code === `EPSG:${srid}`) return meant
  throw new Refusal(`its shape is in EPSG:${srid}; choose that projection`)
}

function list(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new Refusal(`${what} is ${quoteValue(value)} instead of a list`)
}

function some<Part>(value: unknown, what: string, read: (item: unknown) => Part): Part[] {
  const items = list(value, 'its list of coordinates')
  if (items.length === 0) throw new Refusal(`its geometry has no ${what}`)
  return items.map(read)
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
  const place = placeOf([first as number, second as number], reading.coordinates)
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
export function placeOf([first, second]: Position, { isSwapped, projection }: Coordinates): Position {
  const [x, y] = isSwapped ? [second, first] : [first, second]
  if (!projection) return checkPosition(x, y)
  const [lng, lat] = projection.toDegrees(x, y)
  if (Math.abs(lng) <= 180 && Math.abs(lat) <= 90) return [lng, lat]
  throw new Refusal(`position ${quoteValue([x, y])} is no place in ${projection.code}`)
}

function checkPosition(lng: number, lat: number): Position {
  const problem = beyond(lng, 'longitude', 180) ?? beyond(lat, 'latitude', 90)
  if (problem) throw new MisplacedRefusal(problem, [lng, lat])
  return [lng, lat]
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
  if (rings.length === 0) throw new Refusal('a polygon has no ring')
  return rings.map((ring) => {
    const positions = list(ring, 'a ring').map((item) => position(item, reading))
    const [first, last] = [positions[0], positions.at(-1)]
    if (!first || !last || positions.length < 4)
      throw new Refusal(`a ring has ${positions.length} positions; it needs at least 4`)
    if (!isSame(first, last))
      throw new Refusal(
        `a ring is not closed: it starts at ${first.join(', ')} and ends at ${last.join(', ')}`,
      )
    return positions
  })
}

function isSame(a: Position, b: Position): boolean {
  return a[0] === b[0] && a[1] === b[1]
}
