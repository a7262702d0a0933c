import { ImportError } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { createDecoder } from './decode-text.ts'
import { esriJson, otherFormat, topoJson } from './refused-formats.ts'
import type { OnNotice, SourceRecord } from './source-record.ts'
import { splitJson } from './split-json.ts'

// GeoJSON (RFC 7946) in all its wrappings, and arrays of plain records.

export const geometryTypes = [
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]

type JsonObject = Record<string, unknown>

/** Everything but `features` of a root object. */
type Root = { members: JsonObject; elements: number; hasFeatures: boolean }

export async function* readJson(
  chunks: AsyncIterable<Uint8Array>,
  { fileName, isScript = false }: { fileName: string; isScript?: boolean },
  onNotice: OnNotice,
): AsyncGenerator<SourceRecord> {
  let rowNumber = 0
  let root: Root = { members: {}, elements: 0, hasFeatures: false }
  for await (const piece of splitJson(chunks, createDecoder(onNotice), isScript)) {
    if (piece.piece === 'member') {
      if (piece.name === 'crs') refuseForeignReferenceSystem(piece.value, fileName)
      if (piece.name === 'geometryType') refuseEsriJson(piece.value, fileName)
      // Not by assignment: a member called __proto__ is a member like any other.
      Object.defineProperty(root.members, piece.name, {
        value: piece.value,
        enumerable: true,
        configurable: true,
      })
    } else if (piece.piece === 'features') {
      root.hasFeatures = true
    } else if (piece.piece === 'element') {
      root.elements++
      rowNumber++
      yield { rowNumber, ...(piece.isOfFeatures ? ofFeature(piece.value) : ofElement(piece.value)) }
    } else {
      if (piece.type === 'scalar') throw new ImportError(notUnderstood(`is ${quoteValue(piece.value)}`))
      if (piece.type === 'object' && !isFinishedCollection(root, fileName)) {
        rowNumber++
        yield { rowNumber, ...ofElement(root.members) }
      }
      root = { members: {}, elements: 0, hasFeatures: false }
    }
  }
}

const notUnderstood = (what: string) =>
  `The file ${what}; it must be GeoJSON, or an array of records with latitude and longitude.`

/** Whether the root object's records have all been read; throws where it is no collection that we know. */
function isFinishedCollection({ members, elements, hasFeatures }: Root, fileName: string): boolean {
  const { type } = members
  if (type === 'Topology') throw otherFormat(topoJson, fileName)
  if (type === 'FeatureCollection') {
    if (hasFeatures) return true
    throw new ImportError(notUnderstood('is a FeatureCollection without an array of features'))
  }
  if (elements > 0) throw new ImportError(notUnderstood(`has features, but its type is ${quoteValue(type)}`))
  return false
}

function ofElement(value: unknown): Omit<SourceRecord, 'rowNumber'> {
  if (!isObject(value))
    return { properties: [], problem: `it is ${quoteValue(value)}, neither a feature nor a record` }
  if (value.type === 'Feature') return ofFeature(value)
  if (typeof value.type === 'string' && geometryTypes.includes(value.type))
    return { properties: [], geometry: value }
  return { properties: Object.entries(value) }
}

function ofFeature(value: unknown): Omit<SourceRecord, 'rowNumber'> {
  if (!isObject(value)) return { properties: [], problem: `it is ${quoteValue(value)} instead of a feature` }
  const { type, geometry = null, properties = null, id } = value
  const problem = problemOf(type, properties)
  return { properties: isObject(properties) ? Object.entries(properties) : [], geometry, id, problem }
}

function problemOf(type: unknown, properties: unknown): string | undefined {
  if (type !== 'Feature') return `its type is ${quoteValue(type)} instead of "Feature"`
  if (properties === null || isObject(properties)) return undefined
  return `its properties are ${quoteValue(properties)} instead of an object`
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuseForeignReferenceSystem(crs: unknown, fileName: string) {
  const name = foreignReferenceSystem(crs)
  if (name === undefined) return
  throw otherFormat({ what: `in coordinates of ${name} instead of WGS 84`, convert: 'geometries' }, fileName)
}

/**
 * GeoJSON of 2008 could name a coordinate reference system; today it is always WGS 84, longitude first. Undefined where it is
 * that.
 */
export function foreignReferenceSystem(crs: unknown): string | undefined {
  if (crs === null || crs === undefined) return undefined
  const properties = isObject(crs) && isObject(crs.properties) ? crs.properties : {}
  const name = String(properties.name ?? (isObject(crs) ? JSON.stringify(crs) : crs))
  return /(?:CRS84|EPSG:(?:\d*\.?\d*:)?4326|WGS ?84)$/i.test(name.trim()) ? undefined : name
}

/** Its features look like ours from outside. */
function refuseEsriJson(geometryType: unknown, fileName: string) {
  if (typeof geometryType === 'string' && geometryType.startsWith('esriGeometry'))
    throw otherFormat(esriJson, fileName)
}
