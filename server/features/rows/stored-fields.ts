import { storedOwnValues } from '#domain/definition/custom-field.ts'
import type { Field, FieldColumn, Fields, OwnValues, ValuesOf } from '#domain/definition/definition.ts'
import type { FeatureColumns } from '../../database/tables.ts'

// Fields that lists search, sort and filter by have columns; the others are stored as JSON.

export type StoredFields = Pick<FeatureColumns, FieldColumn | 'fields'>
type Values = Readonly<Record<string, unknown>>

/** Columns of fields that the kind lacks are null. `derived` values are stored as JSON. */
export function storeFields(fields: Fields, values: Values, derived: Values = {}): StoredFields {
  const columns: Record<FieldColumn, unknown> = {
    name: '',
    description: '',
    type: null,
    status: null,
    severity: null,
    date: null,
  }
  const others: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(fields)) {
    if (field.column) columns[field.column] = toColumn(field, values[key])
    else if (field.value.type === 'own') Object.assign(others, storeOwn(key, values[key]))
    else others[key] = values[key] ?? null
  }
  return {
    ...(columns as Pick<FeatureColumns, FieldColumn>),
    fields: JSON.stringify({ ...others, ...derived }),
  }
}

/** Adds nothing for clients without custom fields. */
function storeOwn(key: string, input: unknown): Values {
  const stored = storedOwnValues(input as OwnValues | null | undefined)
  return stored ? { [key]: stored } : {}
}

export type FieldSight = { seesPersonalData: boolean; isStaff: boolean }

/** Complete, whatever fields there were when the row was written. Hidden values are null. */
export function readFields<Own extends Fields>(
  fields: Own,
  row: StoredFields,
  sight: FieldSight,
): ValuesOf<Own> {
  const stored = JSON.parse(row.fields) as Values
  const values = Object.entries(fields).map(([key, field]) => [
    key,
    field.column && isSeen(field, sight)
      ? fromColumn(field, row[field.column])
      : complete(field, stored[key], sight),
  ])
  return Object.fromEntries(values) as ValuesOf<Own>
}

/** The same values after writing them to a row and reading them back. */
export function normalizeFields<Feature extends object>(fields: Fields, feature: Feature): Feature {
  const values: Values = Object.fromEntries(Object.entries(feature))
  const everything = { seesPersonalData: true, isStaff: true }
  const normalized = Object.entries(fields).map(([key, field]) => {
    if (field.column) return [key, fromColumn(field, toColumn(field, values[key]))]
    if (field.value.type === 'own') return [key, storeOwn(key, values[key])[key] ?? null]
    return [key, complete(field, values[key] ?? null, everything)]
  })
  return { ...feature, ...Object.fromEntries(normalized) }
}

const isSeen = ({ isPersonal, isForStaff }: Field, { seesPersonalData, isStaff }: FieldSight) =>
  (!isPersonal || seesPersonalData) && (!isForStaff || isStaff)

/** Includes fields within groups. All lists of names that a reader gets are made of these. */
export function seenFields(fields: Fields, sight: FieldSight): Fields {
  const seen = Object.entries(fields).filter(([, field]) => isSeen(field, sight))
  return Object.fromEntries(
    seen.map(([key, field]) => {
      const { value } = field
      if (value.type !== 'group') return [key, field]
      return [key, { ...field, value: { ...value, fields: seenFields(value.fields, sight) } }]
    }),
  )
}

function toColumn({ value }: Field, input: unknown): unknown {
  if (input === null || input === undefined) return null
  if (value.type === 'instant') return Date.parse(String(input))
  if (value.type === 'flag' && value.words) return input === true ? value.words.yes : value.words.no
  return input
}

function fromColumn({ value }: Field, stored: unknown): unknown {
  if (stored === null) return null
  if (value.type === 'instant') return new Date(Number(stored)).toISOString()
  if (value.type === 'flag' && value.words) return stored === value.words.yes
  return stored
}

function complete(field: Field, stored: unknown, sight: FieldSight): unknown {
  const { value, initial = null } = field
  if (!isSeen(field, sight)) return null
  if (stored === undefined) return initial
  if (stored === null) return null
  if (value.type === 'group') return completeAll(value.fields, stored as Values, sight)
  if (value.type === 'list') return (stored as Values[]).map((entry) => completeAll(value.of, entry, sight))
  return stored
}

function completeAll(fields: Fields, stored: Values, sight: FieldSight): Values {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, complete(field, stored[key], sight)]),
  )
}
