import { ImportError } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { createDecoder } from './decode-text.ts'
import { esriJson, otherFormat, topoJson } from './detect-format.ts'
import type { IsWanted, OnNotice, SourceRecord } from './source-record.ts'
import { splitJson } from './split-json.ts'

// GeoJSON (RFC 7946) as a collection, an array or one value per line, and arrays of plain records.

/** In the order of their codes in well-known binary. */
export const geometryTypes = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
]

export type JsonObject = Readonly<Record<string, unknown>>

type Root = { members: JsonObject; elements: number; hasFeatures: boolean }
const emptyRoot = (): Root => ({ members: {}, elements: 0, hasFeatures: false })

type UnnumberedRecord = Omit<SourceRecord, 'rowNumber'>

export async function* readJson(
  chunks: AsyncIterable<Uint8Array>,
  { fileName, isScript, isWanted }: { fileName: string; isScript: boolean; isWanted: IsWanted },
  onNotice: OnNotice,
): AsyncGenerator<SourceRecord> {
  let rowNumber = 0
  let root = emptyRoot()
  for await (const pieces of splitJson(chunks, createDecoder(onNotice), isScript))
    for (const piece of pieces) {
      if (piece.piece === 'member') {
        const { name, read } = piece
        if (!rootMembers.has(name) && !isWanted(rowNumber + 1)) continue
        const value = read()
        rejectForeignMember(name, value, fileName)
        // Assignment would set the prototype for a member called __proto__.
        Object.defineProperty(root.members, name, { value, enumerable: true, configurable: true })
      } else if (piece.piece === 'features') {
        root.hasFeatures = true
      } else if (piece.piece === 'element') {
        root.elements++
        if (!isWanted(++rowNumber)) continue
        const value = piece.read()
        yield { rowNumber, ...(piece.isOfFeatures ? recordOfFeature(value) : recordOfValue(value)) }
      } else if (piece.piece === 'scalar') {
        throw notUnderstood(`is ${quoteValue(piece.read())}`)
      } else {
        const { members } = root
        const isRecord = piece.type === 'object' && !isFinishedCollection(root, fileName)
        root = emptyRoot()
        if (isRecord && isWanted(++rowNumber)) yield { rowNumber, ...recordOfValue(members) }
      }
    }
}

/** They tell whether an object is a record, or has the records of the file. */
const rootMembers: ReadonlySet<string> = new Set(['type', 'geometryType', 'crs'])

const notUnderstood = (what: string) =>
  new ImportError(`The file ${what}. It must be GeoJSON, or an array of records with latitude and longitude.`)

function isFinishedCollection({ members: { type }, elements, hasFeatures }: Root, fileName: string): boolean {
  if (type === 'Topology') throw otherFormat(topoJson, fileName)
  if (type === 'FeatureCollection') {
    if (hasFeatures) return true
    throw notUnderstood('is a FeatureCollection without an array of features')
  }
  if (elements > 0) throw notUnderstood(`has features, but its type is ${quoteValue(type)}`)
  return false
}

function recordOfValue(value: unknown): UnnumberedRecord {
  if (!isObject(value))
    return { properties: [], problem: `it is ${quoteValue(value)} instead of a feature or a record` }
  if (value.type === 'Feature') return recordOfFeature(value)
  if (typeof value.type === 'string' && geometryTypes.includes(value.type))
    return { properties: [], geometry: value }
  return { properties: Object.entries(value) }
}

function recordOfFeature(value: unknown): UnnumberedRecord {
  if (!isObject(value)) return { properties: [], problem: `it is ${quoteValue(value)} instead of a feature` }
  const { type, geometry = null, properties = null, id } = value
  const problem =
    type !== 'Feature'
      ? `its type is ${quoteValue(type)} instead of "Feature"`
      : properties === null || isObject(properties)
        ? undefined
        : `its properties are ${quoteValue(properties)} instead of an object`
  return { properties: isObject(properties) ? Object.entries(properties) : [], geometry, id, problem }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Esri JSON has `features` too, and GeoJSON of 2008 may have coordinates in another reference system. */
function rejectForeignMember(name: string, value: unknown, fileName: string) {
  if (name === 'geometryType' && typeof value === 'string' && value.startsWith('esriGeometry'))
    throw otherFormat(esriJson, fileName)
  const crs = name === 'crs' ? foreignReferenceSystem(value) : undefined
  if (crs !== undefined)
    throw otherFormat({ what: `in coordinates of ${crs} instead of WGS 84`, convert: 'geometries' }, fileName)
}

/** A reference system (GeoJSON of 2008) other than WGS 84 with longitude first. */
export function foreignReferenceSystem(crs: unknown): string | undefined {
  if (crs === null || crs === undefined) return undefined
  const properties = isObject(crs) && isObject(crs.properties) ? crs.properties : {}
  const name = String(properties.name ?? (isObject(crs) ? JSON.stringify(crs) : crs))
  return /(?:CRS84|EPSG:(?:\d*\.?\d*:)?4326|WGS ?84)$/i.test(name.trim()) ? undefined : name
}
