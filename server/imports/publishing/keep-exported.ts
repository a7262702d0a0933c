import { type Field, type Fields, type OwnValues, withArticle } from '#domain/definition/definition.ts'
import { type CustomFields, fieldsOf } from '#domain/features/custom-fields.ts'
import { definitions } from '#domain/features/definitions.ts'
import { layerOfFeature } from '#domain/features/layer-of-feature.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { Metadata } from '#domain/values/common.schema.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { deriveColumns, kindOfRow } from '../../features/rows/derive-columns.ts'
import { readNextDue } from '../../features/rows/feature-row.ts'
import { readFields, storeFields } from '../../features/rows/stored-fields.ts'
import { ImportError } from '../import-error.ts'
import { isCutFrom } from '../mapping/own-rows.ts'
import { missingPlace } from '../reading/read-rows.ts'
import { contentColumns } from './feature-columns.ts'
import type { RowRule, Values } from './row-rule.ts'
import { replacesFeature } from './staged-rows.queries.ts'

/**
 * For rows of our own exports: keeps fields without a column in the file, and current values that the file repeats as
 * far as its format can hold them. Must be the first rule.
 */
export function keepExported(ownColumns: readonly string[], customFields: CustomFields): RowRule {
  const columns = new Set(ownColumns)
  return {
    appliesTo: replacesFeature,
    load: async () => (row) => {
      const { staged, current } = row
      if (!current) return staged
      requireSameKind(staged, current)
      const merged = mergeRow(staged, current, { columns, customFields })
      if (contentColumns.every((column) => merged[column] === staged[column])) return staged
      return { ...merged, ...deriveColumns(merged, JSON.parse(merged.geometry), customFields) }
    },
  }
}

function requireSameKind(staged: FeatureColumns, current: FeatureColumns) {
  const [next, before] = [staged, current].map((row) => withArticle(definitions[kindOfRow(row)].label.one))
  if (next !== before) throw new ImportError(`${staged.id} is ${next} in the file, but ${before} on the map.`)
}

const everything = { seesPersonalData: true, isStaff: true }

function mergeRow(
  staged: FeatureColumns,
  current: FeatureColumns,
  { columns, customFields }: { columns: ReadonlySet<string>; customFields: CustomFields },
): FeatureColumns {
  const kind = kindOfRow(current)
  const fields: Fields = fieldsOf(kind, customFields)
  const [before, next]: [Values, Values] = [
    readFields(fields, current, everything),
    readFields(fields, staged, everything),
  ]
  const entries = Object.entries(fields).map(([key, field]) => {
    // Other rules merge custom fields, and fields that follow from maintenance.
    if (key === 'own') return [key, mergeOwn(current, staged)]
    return [
      key,
      field.followsFrom === undefined ? mergeField(key, field, { before, next, columns }) : next[key],
    ]
  })
  const values = Object.fromEntries(entries)
  const nextDue = readNextDue(staged)
  const isSameGeometry =
    staged.geometry === missingPlace ||
    isSameShape(JSON.parse(current.geometry) as Geometry, JSON.parse(staged.geometry) as Geometry)
  return {
    ...staged,
    ...storeFields(definitions[kind].fields, values, nextDue === null ? {} : { nextDue }),
    ...layerOfFeature({ kind, ...values }),
    metadata: JSON.stringify(mergeMetadata(JSON.parse(current.metadata), JSON.parse(staged.metadata))),
    geometry: isSameGeometry ? current.geometry : staged.geometry,
  }
}

function mergeOwn(current: FeatureColumns, staged: FeatureColumns): OwnValues {
  const before: OwnValues = JSON.parse(current.fields).own ?? {}
  const next: OwnValues = JSON.parse(staged.fields).own ?? {}
  const merged = Object.entries(next).map(([key, value]): [string, OwnValues[string]] => {
    const current = before[key]
    return [key, current !== undefined && isSame(current, value) ? current : value]
  })
  return Object.fromEntries(merged)
}

type Merging = { before: Values; next: Values; columns: ReadonlySet<string> }

function mergeField(key: string, { value }: Field, { before, next, columns }: Merging, path = key): unknown {
  const [one, other] = [before[key] ?? null, next[key] ?? null]
  if (value.type !== 'group') return columns.has(path) && !isSame(one, other) ? other : one
  const [parts, others] = [(one ?? {}) as Values, (other ?? {}) as Values]
  const merged = Object.entries(value.fields).map(([part, field]): [string, unknown] => [
    part,
    mergeField(part, field, { before: parts, next: others, columns }, `${path}.${part}`),
  ])
  // A group without values is stored as null, or with parts that are null.
  return merged.every(([part, value]) => JSON.stringify(parts[part] ?? null) === JSON.stringify(value))
    ? one
    : Object.fromEntries(merged)
}

/** Some formats keep 15 digits of a number, or 15 digits after the point. */
const [relativeError, absoluteError] = [1e-12, 1e-15]

/** Ignores spaces around a text, and the parts of a text or number that a format cannot hold. */
function isSame(before: unknown, next: unknown): boolean {
  if (typeof before === 'string' && typeof next === 'string' && isCutFrom(next, before)) return true
  if (typeof before === 'number' && typeof next === 'number')
    return Math.abs(before - next) <= Math.max(absoluteError, relativeError * Math.abs(before))
  const plain = (value: unknown) => (typeof value === 'string' ? value.trim() || null : value)
  return JSON.stringify(plain(before)) === JSON.stringify(plain(next))
}

function mergeMetadata(before: Metadata, next: Metadata): Metadata {
  const added = new Map(next.map((one) => [one.name, one]))
  const merged = before.map((one) => {
    const replacement = added.get(one.name)
    added.delete(one.name)
    return replacement ?? one
  })
  return [...merged, ...added.values()]
}

type Nested = readonly number[] | readonly Nested[]

/** In degrees (0.1 mm): formats that write 15 digits change the last ones. */
const tolerance = 1e-9

/** Ignores the direction of rings, and whether a single part is a list of parts: formats differ in both. */
function isSameShape(one: Geometry, other: Geometry): boolean {
  const [first, second] = [withoutList(one), withoutList(other)]
  return (
    first.type === second.type &&
    hasSameCorners(first.coordinates, second.coordinates, /Polygon/.test(first.type))
  )
}

function withoutList({ type, coordinates }: Geometry): { type: string; coordinates: Nested } {
  const isOne = type.startsWith('Multi') && coordinates.length === 1
  return isOne
    ? { type: type.slice('Multi'.length), coordinates: coordinates[0] as Nested }
    : { type, coordinates: coordinates as Nested }
}

function hasSameCorners(one: Nested, other: Nested, isArea: boolean): boolean {
  if (isPosition(one) || isPosition(other))
    return [0, 1].every((index) => Math.abs(Number(one[index]) - Number(other[index])) <= tolerance)
  const parts = other as readonly Nested[]
  const matches = (others: readonly Nested[]) =>
    one.length === others.length &&
    one.every((part, index) => hasSameCorners(part as Nested, others[index] as Nested, isArea))
  return matches(parts) || (isArea && isPosition(parts[0]) && matches(parts.toReversed()))
}

const isPosition = (value: Nested | undefined) => typeof value?.[0] === 'number'
