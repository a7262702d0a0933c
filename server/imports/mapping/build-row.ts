import type { DefinedKind } from '#domain/features/definitions.ts'
import { hasField } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { OwnFields } from '#domain/features/own-fields.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'
import { metadata, newFeatureId } from '#domain/values/common.schema.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { cutAtDateLine } from '../geometry/cut-at-date-line.ts'
import {
  type Coordinates,
  isEmptyShape,
  type OnRepair,
  placeOf,
  readGeometry,
  requireRealPlace,
} from '../geometry/read-geometry.ts'
import { type PairColumn, readShapeOf } from '../geometry/read-shape.ts'
import { type CheckedGeometry, repairPolygons } from '../geometry/repair-polygons.ts'
import { MisplacedRefusal, Refusal, UnknownValueRefusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { readCoordinate } from '../values/read-coordinate.ts'
import { buildFeature } from './build-feature.ts'
import { describeIssue } from './describe-issue.ts'
import type { ColumnMapping, Filling, Source } from './map-columns.ts'
import { readFields } from './read-fields.ts'
import { isBlank, type ReadContext } from './read-values.ts'
import { contentId, featureIdOf, sourceIdOf } from './source-identity.ts'

export type RowContext = ReadContext & {
  kind: DefinedKind
  mapId: string
  /** What the ids of the records are of; null where they are the features' own. */
  source: string | null
  mapping: ColumnMapping
  ownFields?: OwnFields | undefined
  /** Type of all rows, whatever their columns say. */
  type?: string
  coordinates: Coordinates
  /** Order of two coordinates in one cell. */
  pairOrder?: PairColumn['order']
  /** A row of our own export of this map: what it says is kept as it is. */
  isOwnExport?: true
  /** All its metadata, as such a row has it. */
  ownMetadata?: unknown
}

export type BuiltRow =
  | {
      outcome: 'built'
      /** Where it keeps its place this is nowhere yet. */
      feature: NewFeature
      /** It says no place: the feature that is there already keeps the one that it has. */
      keepsPlace: boolean
      sourceId: string | undefined
      repaired?: string
      filled: Filling[]
      /** What the column says that a person named for the area, in acres. */
      namedArea?: { column: string; acres: number }
    }
  | {
      outcome: 'refused'
      reason: string
      sourceId: string | undefined
      /** Its coordinates, where they are no degrees. */
      misplaced?: { lng: number; lat: number }
      /** What was read of it, where a value of it is what its field cannot take. */
      filled?: readonly Filling[]
    }

/** The fields of a place, where the record has a geometry; and of the type, where one is given for all. */
const place = ['latitude', 'longitude', 'wkt']

/** One record as a feature, or why it cannot be one. */
export function buildRow(record: SourceRecord, context: RowContext): BuiltRow {
  const { mapping, kind, mapId, source, type, ownFields, isOwnExport = false } = context
  let sourceId: string | undefined
  try {
    const ignored = new Set([...(record.geometry === undefined ? [] : place), ...(type ? ['type'] : [])])
    const assigned = mapping.assign(record.properties, ignored)
    sourceId = sourceIdOf(record, assigned.fields.get('id'))
    if (record.problem !== undefined) throw new Refusal(record.problem)
    const keepsPlace = isOwnExport && saysNoPlace(record, assigned.fields)
    const { geometry, repaired }: CheckedGeometry = keepsPlace
      ? { geometry: nowhere }
      : readWhere(record, assigned.fields, context)
    const placeColumns = takePlace(assigned.fields)
    const { values, rest, filled } = readFields(mapping.fields, assigned, context)
    if (type) values.set('type', type)
    const area = assigned.fields.get('area')
    if (hasField({ kind }, 'area') && !isOwnExport) fillArea(area, geometry, values, rest)
    if (source !== null && isNamedNowhere(record)) rest.unshift(['id', record.id])
    const id = source === null ? ownId(sourceId) : featureIdOf(kind, source, sourceId ?? contentId(record))
    const own = isOwnExport ? readOwnMetadata(context.ownMetadata) : []
    const kept = [
      ...own.filter(([name]) => mapping.isWanted(name)),
      ...rest.filter(([column]) => mapping.isKept(column)),
    ]
    const feature = buildFeature({ kind, mapId, id, sourceId, geometry, values, rest: kept, ownFields })
    return {
      outcome: 'built',
      feature,
      keepsPlace,
      sourceId,
      repaired,
      filled: [...placeColumns, ...filled],
      namedArea: isOwnExport ? undefined : nameArea(area, values),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const misplaced = error instanceof MisplacedRefusal ? { lng: error.lng, lat: error.lat } : undefined
    const filled = error instanceof UnknownValueRefusal ? error.filled : undefined
    return { outcome: 'refused', reason: error.message, sourceId, misplaced, filled }
  }
}

const nowhere: Geometry = { type: 'Point', coordinates: [0, 0] }

/** No feature is nowhere, so an empty place empties nothing. */
const saysNoPlace = ({ geometry }: SourceRecord, fields: ReadonlyMap<string, Source>) =>
  isEmptyShape(geometry) &&
  place.every((field) => isBlank(fields.get(field)?.value) || (field === 'wkt' && !readShape(fields)))

function readWhere(
  record: SourceRecord,
  fields: ReadonlyMap<string, Source>,
  { coordinates, decimalMark, pairOrder }: Pick<RowContext, 'coordinates' | 'decimalMark' | 'pairOrder'>,
): CheckedGeometry {
  const shape = record.geometry === undefined ? readShape(fields, pairOrder) : record.geometry
  const repairs = new Set<string>()
  const onRepair = (what: string) => repairs.add(what)
  const read =
    shape === undefined
      ? readPlace(fields, { coordinates, decimalMark }, onRepair)
      : readGeometry(shape, coordinates, onRepair)
  const { geometry, repaired } = checkGeometry(read)
  const words = repaired === undefined ? [...repairs] : [...repairs, repaired]
  return words.length > 0 ? { geometry, repaired: words.join('; ') } : { geometry }
}

/**
 * A column that happens to be called 'area' may be in any unit. Where it says something quite different from
 * the land's own shape it stays metadata. Without an area that of the shape is taken.
 */
function fillArea(
  column: Source | undefined,
  geometry: Geometry,
  values: Map<string, unknown>,
  rest: [string, unknown][],
) {
  const said = values.get('area')
  if (typeof said === 'number' && column?.isExplicit) return
  const measured = measureAcres(geometry)
  if (measured === null) return
  if (typeof said === 'number' && said <= measured * 2 && said >= measured / 2) return
  if (column && said !== undefined) rest.push([column.column, column.value])
  values.set('area', measured)
}

function nameArea(column: Source | undefined, values: ReadonlyMap<string, unknown>) {
  const acres = values.get('area')
  return column?.isExplicit && typeof acres === 'number' ? { column: column.column, acres } : undefined
}

function ownId(sourceId: string | undefined): string {
  if (sourceId === undefined) throw new Refusal('its id is missing')
  const checked = newFeatureId.safeParse(sourceId)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new Refusal(describeIssue(issue && { ...issue, path: ['id'] }, { id: sourceId }))
}

/** Whether a feature's id would be lost, because none of its properties is called so. */
function isNamedNowhere({ id, properties }: SourceRecord): boolean {
  return !isBlank(id) && !properties.some(([name]) => name === 'id')
}

function checkGeometry(geometry: Geometry): CheckedGeometry {
  const cut = cutAtDateLine(geometry)
  const checked = repairPolygons(cut ?? geometry)
  const words = [cut && 'it lies over the date line and was cut there', checked.repaired].filter(Boolean)
  return words.length > 0 ? { ...checked, repaired: words.join('; ') } : checked
}

/** Takes the columns of the place out of the fields. */
function takePlace(fields: Map<string, Source>): Filling[] {
  return place.flatMap((field) => {
    const column = fields.get(field)?.column
    fields.delete(field)
    return column === undefined ? [] : [{ field, column }]
  })
}

/** A shape that stands in a column as text; undefined where there is none, or an empty one. */
export function readShape(fields: ReadonlyMap<string, Source>, order?: PairColumn['order']): unknown {
  const value = fields.get('wkt')?.value
  if (isBlank(value)) return undefined
  const shape = readShapeOf(value, order)
  if (shape !== undefined && isEmptyShape(shape)) return undefined
  if (shape === undefined)
    throw new Refusal(`its shape ${quoteValue(value)} is not well-known text (WKT), WKB, GeoJSON or a place`)
  return shape
}

/** Names and values, as a list or as its JSON. */
function readOwnMetadata(value: unknown): [string, unknown][] {
  if (isBlank(value)) return []
  const refusal = new Refusal(`its metadata ${quoteValue(value)} is not a list of names and values`)
  const read = metadata.safeParse(typeof value === 'string' ? parseJson(value) : value)
  if (!read.success) throw refusal
  return read.data.map((one) => [one.name, one.value])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The point that the columns of a record without geometry say; throws a Refusal where they say none. */
export function readPlace(
  fields: ReadonlyMap<string, Source>,
  { coordinates, decimalMark }: { coordinates: Coordinates; decimalMark?: DecimalMark | undefined },
  onRepair: OnRepair = () => {},
): Geometry {
  const values = { latitude: fields.get('latitude')?.value, longitude: fields.get('longitude')?.value }
  if (fields.has('wkt') && !fields.has('latitude') && !fields.has('longitude'))
    throw new Refusal('it has no geometry')
  const missing = Object.entries(values).filter(([, value]) => isBlank(value))
  if (missing.length > 0) throw new Refusal(`it has no ${missing.map(([field]) => field).join(' and no ')}`)
  const read = (field: keyof typeof values) => {
    const number = readCoordinate(values[field], decimalMark)
    if (number === undefined) throw new Refusal(`${field} ${quoteValue(values[field])} is not a number`)
    return number
  }
  const place: Position = [read('longitude'), read('latitude')]
  requireRealPlace(place)
  return { type: 'Point', coordinates: placeOf(place, coordinates, onRepair) }
}
