import { basename, extname } from 'node:path'
import { ImportError } from '../import-error.ts'
import { shapeOfEsri } from './esri-geometry.ts'
import { type JsonObject, objectOf, piecesOfFile, writeText } from './json-files.ts'

// Esri JSON (`f=json` of the ArcGIS REST API) as GeoJSON. GDAL reads it only with a list of fields, loses digits of long numbers,
// and turns curves into features without a place.

/** What stands beside the features. */
type Header = { projection: string | null; dates: ReadonlySet<string>; isTable: boolean }

/** Writes GeoJSON to `target`; returns its projection in words of GDAL, null for degrees or where the file does not say it. */
export async function convertEsriJson(
  path: string,
  target: string,
  mostBytes: number,
): Promise<string | null> {
  const header = await readHeader(path)
  await writeText(target, textOf(path, header), mostBytes)
  return header.projection
}

const headerMembers = ['geometryType', 'spatialReference', 'fields']

/** Members may stand behind the features, too. */
async function readHeader(path: string): Promise<Header> {
  const members = new Map<string, unknown>()
  let first: unknown
  for await (const piece of piecesOfFile(path)) {
    if (piece.piece === 'member') members.set(piece.name, piece.value)
    if (piece.piece === 'element') first ??= piece.value
    if (first !== undefined && headerMembers.every((name) => members.has(name))) break
  }
  const geometry = objectOf(objectOf(first).geometry)
  const fields = members.get('fields')
  const dates = (Array.isArray(fields) ? fields : []).map(objectOf).flatMap(({ name, type }) =>
    // esriFieldTypeDateOnly is text.
    type === 'esriFieldTypeDate' && typeof name === 'string' ? [name] : [],
  )
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

async function* textOf(path: string, { projection, dates, isTable }: Header): AsyncGenerator<string> {
  const crs =
    projection === null ? '' : `"crs":${JSON.stringify({ type: 'name', properties: { name: projection } })},`
  const name = JSON.stringify(basename(path, extname(path)))
  yield isTable ? '[' : `{"type":"FeatureCollection","name":${name},${crs}"features":[`
  let rows = 0
  for await (const piece of piecesOfFile(path)) {
    if (piece.piece !== 'element') continue
    const { attributes, geometry } = objectOf(piece.value)
    const properties = withDates(objectOf(attributes), dates)
    const shape = shapeOfEsri(geometry)
    if (shape === undefined) throw curved(rows + 1)
    const row = isTable ? properties : { type: 'Feature', properties, geometry: shape }
    yield `${rows++ === 0 ? '\n' : ',\n'}${JSON.stringify(row)}`
  }
  yield isTable ? '\n]\n' : '\n]}\n'
}

const curved = (row: number) =>
  new ImportError(
    `Row ${row} of the Esri JSON has curves, which cannot be read. Ask for it with returnTrueCurves=false, or export it as a Shapefile.`,
  )

/** Dates are milliseconds since 1970. */
function withDates(attributes: JsonObject, dates: ReadonlySet<string>): JsonObject {
  const entries = Object.entries(attributes).map(([name, value]) => {
    const date = dates.has(name) && typeof value === 'number' ? new Date(value) : undefined
    return [name, date && !Number.isNaN(date.getTime()) ? date.toISOString() : value]
  })
  return Object.fromEntries(entries)
}
