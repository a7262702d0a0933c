import type { z } from 'zod'
import type {
  Field as DefinedField,
  Fields as DefinedFields,
  Definition,
} from '#domain/definition/definition.ts'
import { type CustomFields, fieldsOf, noCustomFields } from '#domain/features/custom-fields.ts'
import {
  type DefinedKind,
  definitions,
  featureName,
  hasField,
  nameFieldOf,
} from '#domain/features/definitions.ts'
import { type NewFeature, newFeature } from '#domain/features/feature.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { type Metadata, metadata, newFeatureId } from '#domain/values/common.schema.ts'
import { isStorableText } from '#domain/values/text.ts'
import { tryParseJson } from '../formats/parse-json.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import type { Coordinates } from '../geometry/read-geometry.ts'
import type { PairColumn } from '../geometry/read-shape.ts'
import { type CheckedGeometry, repairGeometry } from '../geometry/repair-geometry.ts'
import { MisplacedRefusal, Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { type DateStyle, isEmptyDay, isOddYear, isPartialDate, isUnclearDate } from '../values/read-dates.ts'
import { isRounded } from '../values/read-numbers.ts'
import type { Field, Fields } from './fields.ts'
import type { Assigned, ColumnMapping, Filling, Source } from './map-columns.ts'
import { hasNoLocation, locationFields, readLocation, readShape } from './read-location.ts'
import { isBlank, type ReadContext, text } from './read-values.ts'
import { contentId, featureIdOf, sourceIdOf } from './source-identity.ts'

export type RowContext = ReadContext & {
  kind: DefinedKind
  mapId: string
  /** Null if the records' ids are the ids of features. */
  source: string | null
  mapping: ColumnMapping
  customFields?: CustomFields | undefined
  type?: string
  coordinates: Coordinates
  pairOrder?: PairColumn['order']
  /** A row of our own export of this map: its values stay unchanged. */
  isOwnExport?: true
  ownMetadata?: unknown
}

export type BuiltRow =
  | {
      outcome: 'built'
      /** Its geometry has no meaning if `keepsPlace`. */
      feature: NewFeature
      /** The row has no location: the existing feature keeps its own. */
      keepsPlace: boolean
      sourceId: string | undefined
      repaired?: string
      filled: Filling[]
      namedArea?: { column: string; acres: number }
    }
  | {
      outcome: 'refused'
      reason: string
      sourceId: string | undefined
      name: string | undefined
      misplaced?: { lng: number; lat: number }
      filled?: readonly Filling[]
    }

export function buildRow(record: SourceRecord, context: RowContext): BuiltRow {
  const { mapping, type } = context
  let sourceId: string | undefined
  let assigned: Assigned | undefined
  try {
    const ignored = [...(record.geometry === undefined ? [] : locationFields), ...(type ? ['type'] : [])]
    assigned = mapping.assign(record.properties, new Set(ignored))
    sourceId = sourceIdOf(record, assigned.fields.get('id'))
    if (record.problem !== undefined) throw new Refusal(record.problem)
    return { outcome: 'built', sourceId, ...build(record, assigned, sourceId, context) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const misplaced = error instanceof MisplacedRefusal ? { lng: error.lng, lat: error.lat } : undefined
    const filled = error instanceof UnknownValueRefusal ? error.filled : undefined
    const cell = assigned?.fields.get(nameFieldOf(context.kind))?.value
    const name = isBlank(cell)
      ? undefined
      : String(text.read(cell, context) ?? '')
          .slice(0, 300)
          .toWellFormed()
    return { outcome: 'refused', reason: error.message, sourceId, name, misplaced, filled }
  }
}

/** As it is stored, or as the file has it. */
export const nameOfRow = (row: BuiltRow) => (row.outcome === 'refused' ? row.name : featureName(row.feature))

const nowhere: Geometry = { type: 'Point', coordinates: [0, 0] }

function build(
  record: SourceRecord,
  assigned: Assigned,
  sourceId: string | undefined,
  context: RowContext,
): Omit<Extract<BuiltRow, { outcome: 'built' }>, 'outcome' | 'sourceId'> {
  const { mapping, kind, mapId, source, type, customFields, isOwnExport = false } = context
  const { fields } = assigned
  const keepsPlace = isOwnExport && hasNoLocation(record, fields)
  const { geometry, repaired }: CheckedGeometry = keepsPlace
    ? { geometry: nowhere }
    : readGeometryOf(record, fields, context)
  const locationColumns = takeLocation(fields)
  const { values, rest, filled } = readFields(mapping.fields, assigned, context)
  if (type) values.set('type', type)
  const area = fields.get('area')
  if (hasField({ kind }, 'area') && !isOwnExport) fillArea(area, geometry, values, rest)
  // The id of a feature would be lost without a property of that name.
  if (source !== null && !isBlank(record.id) && !record.properties.some(([name]) => name === 'id'))
    rest.unshift(['id', record.id])
  const id = source === null ? ownId(sourceId) : featureIdOf(kind, source, sourceId ?? contentId(record))
  const own = isOwnExport ? readOwnMetadata(context.ownMetadata) : []
  const stored = [
    ...own.filter(([name]) => mapping.isWanted(name)),
    ...rest.filter(([column]) => mapping.isStored(column)),
  ]
  const feature = buildFeature({ kind, mapId, id, sourceId, geometry, values, rest: stored, customFields })
  const acres = values.get('area')
  const namedArea =
    !isOwnExport && area?.isExplicit && typeof acres === 'number' ? { column: area.column, acres } : undefined
  return { feature, keepsPlace, repaired, filled: [...locationColumns, ...filled], namedArea }
}

function readGeometryOf(
  record: SourceRecord,
  fields: ReadonlyMap<string, Source>,
  context: RowContext,
): CheckedGeometry {
  const repairs = new Set<string>()
  const shape = readShape(record, fields, context.pairOrder)
  const read = readLocation(shape, fields, context, (what) => repairs.add(what))
  const { geometry, repaired } = repairGeometry(read)
  if (repaired !== undefined) repairs.add(repaired)
  return repairs.size > 0 ? { geometry, repaired: [...repairs].join('; ') } : { geometry }
}

/**
 * A column that happens to be named 'area' may have any unit: if it differs much from the area of the shape, it stays
 * metadata and the area of the shape is used.
 */
function fillArea(
  column: Source | undefined,
  geometry: Geometry,
  values: Map<string, unknown>,
  rest: [string, unknown][],
) {
  const area = values.get('area')
  if (typeof area === 'number' && column?.isExplicit) return
  const measured = measureAcres(geometry)
  if (measured === null) return
  if (typeof area === 'number' && area <= measured * 2 && area >= measured / 2) return
  if (column && area !== undefined) rest.push([column.column, column.value])
  values.set('area', measured)
}

function ownId(sourceId: string | undefined): string {
  if (sourceId === undefined) throw new Refusal('its id is missing')
  const checked = newFeatureId.safeParse(sourceId)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new Refusal(describeIssue(issue && { ...issue, path: ['id'] }, { id: sourceId }))
}

function takeLocation(fields: Map<string, Source>): Filling[] {
  return locationFields.flatMap((field) => {
    const column = fields.get(field)?.column
    fields.delete(field)
    return column === undefined ? [] : [{ field, column }]
  })
}

function readOwnMetadata(value: unknown): [string, unknown][] {
  if (isBlank(value)) return []
  const read = metadata.safeParse(typeof value === 'string' ? tryParseJson(value) : value)
  if (!read.success) throw new Refusal(`its metadata ${quoteValue(value)} is not a list of names and values`)
  return read.data.map((one) => [one.name, one.value])
}

class UnknownValueRefusal extends Refusal {
  readonly filled: readonly Filling[]
  constructor(reason: string, filled: readonly Filling[]) {
    super(reason)
    this.filled = filled
  }
}

/**
 * `rest` are columns to store as metadata. A value that is not understood rejects the row if the user selected the
 * column, and stays metadata if the column was matched by its name.
 */
function readFields(definitions: Fields, { fields, rest }: Assigned, context: ReadContext) {
  const values = new Map<string, unknown>()
  const stored = [...rest]
  const filled: Filling[] = []
  for (const [field, { column, value: cell, isExplicit }] of fields) {
    const value = context.words?.meaningOf(field, cell) ?? cell
    if (isBlank(value)) continue
    const { reader } = definitions[field] as Field
    const dates = (reader.isDate && context.dateColumns?.get(column)) || undefined
    const read = reader.read(value, dates ? { ...context, dates } : context)
    const filling: Filling = { field, column }
    if (read === undefined) filling.unknown = value
    if (reader.isDate && typeof read === 'string') {
      if (isOddYear(read)) filling.odd = value
      if (isEmptyDay(read)) filling.emptyDay = value
    }
    if (reader.isNumber && read !== undefined && isRounded(value, context.decimalMark))
      filling.rounded = value
    filled.push(filling)
    if (read !== undefined) values.set(field, read)
    else if (isExplicit) {
      const name = field === column ? field : `${field} (column ${column})`
      const reason = `${name} ${quoteValue(value)} ${whyUnknown(value, reader, dates)}`
      throw new UnknownValueRefusal(reason, filled)
    } else if (field !== 'id') stored.push([column, value])
  }
  return { values, rest: stored, filled }
}

function whyUnknown(value: unknown, { isDate, expected }: Field['reader'], dates: DateStyle = {}): string {
  if (isDate && isUnclearDate(value, dates)) return 'could be day first or month first'
  if (isDate && isPartialDate(value)) return 'has no day; add it in the file, such as 2020-12-01'
  return `is not ${expected}`
}

type FeatureParts = {
  kind: DefinedKind
  mapId: string
  id: string
  sourceId: string | undefined
  geometry: Geometry
  values: Map<string, unknown>
  rest: [column: string, value: unknown][]
  customFields?: CustomFields | undefined
}

function buildFeature(parts: FeatureParts): NewFeature {
  const { kind, mapId, id, geometry, values, customFields = noCustomFields } = parts
  const fields = fieldsOf(kind, customFields)
  const own = withDefaults(fields, values)
  if ('workState' in own) followState(own, values)
  for (const [key, { column }] of Object.entries<DefinedField>(fields))
    if (column === 'name') own[key] ??= nameOf(parts)
  const metadata = parts.rest.map(([name, value]) => ({ name, value: toMetadataValue(name, value) }))
  // The geometry was checked when it was read, with better messages.
  const checked = newFeature.safeParse({ kind, mapId, id, metadata, ...own, geometry: anyGeometry })
  if (!checked.success) throw new Refusal(describeIssue(checked.error.issues[0], { id, ...own, metadata }))
  return { ...checked.data, geometry }
}

/** A row that names the progress of work needs no column for the status. */
function followState(own: Record<string, unknown>, values: ReadonlyMap<string, unknown>) {
  const { workState, resolved } = own
  if (workState === null) return
  if (!values.has('resolved')) own.resolved = workState === 'resolved'
  else if (resolved !== (workState === 'resolved'))
    throw new Refusal(
      `its progress ${quoteValue(workState)} contradicts its status ${quoteValue(resolved ? 'resolved' : 'unresolved')}`,
    )
}

const anyGeometry: Geometry = { type: 'Point', coordinates: [0, 0] }

function withDefaults(
  fields: DefinedFields,
  values: ReadonlyMap<string, unknown>,
  path = '',
): Record<string, unknown> {
  const valueAt = (key: string, { value, initial, impliedBy }: DefinedField) => {
    if (value.type === 'group') {
      const hasValue = Object.keys(value.fields).some((part) => values.has(`${path}${key}.${part}`))
      return hasValue ? withDefaults(value.fields, values, `${path}${key}.`) : null
    }
    const isImplied = impliedBy !== undefined && values.get(path + impliedBy) !== undefined
    return values.get(path + key) ?? (isImplied ? true : (initial ?? null))
  }
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, valueAt(key, field)]))
}

function nameOf({ kind, values, sourceId }: FeatureParts): string {
  const { fields, label } = definitions[kind] as Definition
  const types = fields.type?.value.type === 'choice' ? fields.type.value.choices : {}
  const noun = types[String(values.get('type'))] ?? label.one
  return sourceId === undefined ? noun : `${noun} ${sourceId}`.slice(0, 300).toWellFormed()
}

function toMetadataValue(name: string, value: unknown): Metadata[number]['value'] {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new Refusal(`${quoteValue(name)} is a number too large to store`)
  }
  try {
    return JSON.stringify(value)
  } catch {
    throw new Refusal(`${quoteValue(name)} is nested too deeply to store`)
  }
}

type Issue = z.core.$ZodIssue

function describeIssue(issue: Issue | undefined, values: Record<string, unknown>): string {
  if (!issue) return 'it is invalid'
  const value = issue.path.reduce<unknown>((inner, key) => (inner as never)?.[key as never], values)
  const name = pathName(issue.path, values)
  if (value === null || value === undefined) return `it has no ${name}`
  const limit = findLimit(issue)
  if (typeof value === 'string' && !isStorableText(value))
    return `${name} ${quoteValue(value)} has invalid characters`
  if (typeof value === 'string' && limit)
    return `${name} ${quoteValue(value)} has ${value.length} characters, but the limit is ${limit}`
  return `${name} ${quoteValue(value)} cannot be stored: ${issue.message}`
}

function pathName(path: Issue['path'], values: Record<string, unknown>): string {
  const [first, index, part] = path
  if (first !== 'metadata' || typeof index !== 'number') return path.join('.')
  const column = (values.metadata as { name: string }[])[index]?.name
  return part === 'name' ? 'the column name' : `column ${quoteValue(column)}`
}

function findLimit(issue: Issue): number | undefined {
  if (issue.code === 'too_big') return Number(issue.maximum)
  if (issue.code !== 'invalid_union') return undefined
  return issue.errors
    .flat()
    .map(findLimit)
    .find((limit) => limit !== undefined)
}
