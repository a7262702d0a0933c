import { basename, extname } from 'node:path'
import { covers } from '#domain/geometry/covers.ts'
import { maxVertices, type Position } from '#domain/geometry/geometry.schema.ts'
import type { JsonObject } from '../formats/read-json.ts'
import { ImportError } from '../import-error.ts'
import { listOf, objectOf, piecesOfFile, readMembers, writeText } from './json-files.ts'

// Converts Esri JSON (`f=json` of the ArcGIS REST API) to GeoJSON. GDAL needs a list of fields, loses digits of long
// numbers, and drops the geometry of curves. Shapes stay unchecked: their problems are reported with their rows.

type Header = { projection: string | null; dates: ReadonlySet<string>; isTable: boolean }

/** Returns the projection as GDAL names it, null for degrees or if the file does not contain it. */
export async function convertEsriJson(
  path: string,
  target: string,
  maxBytes: number,
): Promise<string | null> {
  const header = await readHeader(path)
  await writeText(target, geoJsonOf(path, header), maxBytes)
  return header.projection
}

const headerMembers = ['geometryType', 'spatialReference', 'fields']

async function readHeader(path: string): Promise<Header> {
  const { members, first } = await readMembers(
    path,
    (members, first) => first !== undefined && headerMembers.every((name) => members.has(name)),
  )
  const geometry = objectOf(objectOf(first).geometry)
  const dates = listOf(members.get('fields'))
    .map(objectOf)
    // esriFieldTypeDateOnly is text.
    .flatMap(({ name, type }) => (type === 'esriFieldTypeDate' && typeof name === 'string' ? [name] : []))
  return {
    projection: projectionOf(objectOf(members.get('spatialReference') ?? geometry.spatialReference)),
    dates: new Set(dates),
    isTable: !members.has('geometryType') && Object.keys(geometry).length === 0,
  }
}

/** Degrees of WGS 84 and of NAD83. */
const inDegrees = [4326, 4269]
const webMercator = [102100, 102113, 900913]
/** Numbers from here on are of Esri, not of the EPSG register. */
const firstOfEsri = 37_000

function projectionOf({ wkid, latestWkid, wkt, wkt2 }: JsonObject): string | null {
  const number = Number(latestWkid ?? wkid ?? 0)
  if (inDegrees.includes(number)) return null
  if (webMercator.includes(number)) return 'EPSG:3857'
  if (number > 0) return `${number < firstOfEsri ? 'EPSG' : 'ESRI'}:${number}`
  const text = wkt ?? wkt2
  if (typeof text !== 'string' || text === '') return null
  return /^GEOGCS\["GCS_(WGS_1984|North_American_1983)"/.test(text) ? null : text
}

async function* geoJsonOf(path: string, { projection, dates, isTable }: Header): AsyncGenerator<string> {
  const crs =
    projection === null ? '' : `"crs":${JSON.stringify({ type: 'name', properties: { name: projection } })},`
  const name = JSON.stringify(basename(path, extname(path)))
  yield isTable ? '[' : `{"type":"FeatureCollection","name":${name},${crs}"features":[`
  let rows = 0
  for await (const piece of piecesOfFile(path)) {
    if (piece.piece !== 'element') continue
    const { attributes, geometry } = objectOf(piece.read())
    const properties = withDates(objectOf(attributes), dates)
    const shape = shapeOfEsri(geometry)
    if (shape === undefined)
      throw new ImportError(
        `Row ${rows + 1} of the Esri JSON has curves, which are not supported. Request it with returnTrueCurves=false, or export it as a Shapefile.`,
      )
    const row = isTable ? properties : { type: 'Feature', properties, geometry: shape }
    yield `${rows++ === 0 ? '\n' : ',\n'}${JSON.stringify(row)}`
  }
  yield isTable ? '\n]\n' : '\n]}\n'
}

function withDates(attributes: JsonObject, dates: ReadonlySet<string>): JsonObject {
  const entries = Object.entries(attributes).map(([name, value]) => {
    const date = dates.has(name) && typeof value === 'number' ? new Date(value) : undefined
    return [name, date && !Number.isNaN(date.getTime()) ? date.toISOString() : value]
  })
  return Object.fromEntries(entries)
}

type Shape = { type: string; coordinates: unknown }

function shapeOfEsri(geometry: unknown): Shape | null | undefined {
  const { x, y, points, paths, rings, curvePaths, curveRings } = objectOf(geometry)
  if (curvePaths !== undefined || curveRings !== undefined) return undefined
  if (x !== undefined || y !== undefined)
    return isNumber(x) && isNumber(y) ? { type: 'Point', coordinates: [x, y] } : null
  if (points !== undefined) return { type: 'MultiPoint', coordinates: points }
  if (paths !== undefined) return singleOrMulti('LineString', paths)
  if (rings === undefined) return null
  return singleOrMulti('Polygon', areRings(rings) ? toPolygons(rings) : rings)
}

/** The coordinates of an empty point are 'NaN'. */
const isNumber = (value: unknown) => typeof value === 'number' || /^\s*[-+]?[\d.]/.test(String(value ?? ''))

const singleOrMulti = (type: string, parts: unknown): Shape =>
  Array.isArray(parts) && parts.length === 1
    ? { type, coordinates: parts[0] }
    : { type: `Multi${type}`, coordinates: parts }

/** Also false for more vertices than a feature may have: it is rejected later. */
function areRings(value: unknown): value is Position[][] {
  let count = 0
  const isRing = (ring: unknown) => {
    count += listOf(ring).length
    return listOf(ring).length >= 4 && count <= maxVertices && listOf(ring).every(isPosition)
  }
  return Array.isArray(value) && value.every(isRing)
}

const isPosition = (value: unknown) =>
  Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1])

type Box = readonly [west: number, south: number, east: number, north: number]
type MeasuredRing = { ring: Position[]; area: number; box: Box; holes: Position[][] | null }

/** A ring inside another is its hole, and one inside a hole is a part again, whatever their directions. */
function toPolygons(rings: readonly Position[][]): Position[][][] {
  const measured = rings
    .map((ring): MeasuredRing => ({ ring, area: areaOf(ring), box: boxOf(ring), holes: null }))
    .sort((one, other) => other.area - one.area)
  for (const [index, one] of measured.entries()) {
    const outer = measured.slice(0, index).findLast((other) => isInside(one, other))
    if (outer?.holes) outer.holes.push(one.ring)
    else one.holes = []
  }
  return measured.flatMap(({ ring, holes }) => (holes ? [[ring, ...holes]] : []))
}

function isInside({ ring, box }: MeasuredRing, outer: MeasuredRing): boolean {
  const [west, south, east, north] = outer.box
  if (box[0] < west || box[1] < south || box[2] > east || box[3] > north) return false
  // Rings may touch in a corner.
  return ring.slice(0, 4).every((corner) => covers({ type: 'Polygon', coordinates: [outer.ring] }, corner))
}

/** Twice the area in the plane. */
function areaOf(ring: readonly Position[]): number {
  const [[left, bottom]] = ring as [Position]
  const signed = ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length] as Position
    return sum + (x - left) * (nextY - bottom) - (nextX - left) * (y - bottom)
  }, 0)
  return Math.abs(signed)
}

function boxOf(ring: readonly Position[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of ring) {
    west = Math.min(west, x)
    south = Math.min(south, y)
    east = Math.max(east, x)
    north = Math.max(north, y)
  }
  return [west, south, east, north]
}
