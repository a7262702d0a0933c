import type { Field, FieldColumn, Fields, ValuesOf } from '#domain/definition/definition.ts'
import type { FeatureColumns } from '../database/tables.ts'

// A feature's fields as a row keeps them: some in columns, by which lists search, sort and filter, the others as JSON.

export type StoredFields = Pick<FeatureColumns, FieldColumn | 'fields'>
type Values = Readonly<Record<string, unknown>>

/** Columns that no field of the kind has are null. `derived` is kept with the fields, and is none. */
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
    else others[key] = values[key] ?? null
  }
  return {
    ...(columns as Pick<FeatureColumns, FieldColumn>),
    fields: JSON.stringify({ ...others, ...derived }),
  }
}

/** Whether a reader sees personal fields, and those of staff. */
export type FieldSight = { seesPersonalData: boolean; isStaff: boolean }

/** Complete, whatever fields there were when the row was written. What may not be seen is null. */
export function readFields<Own extends Fields>(
  fields: Own,
  row: StoredFields,
  { seesPersonalData, isStaff }: FieldSight,
): ValuesOf<Own> {
  const stored = JSON.parse(row.fields) as Values
  const values = Object.entries(fields).map(([key, field]) => {
    if ((field.isPersonal && !seesPersonalData) || (field.isForStaff && !isStaff)) return [key, null]
    return [key, field.column ? fromColumn(field, row[field.column]) : complete(field, stored[key])]
  })
  return Object.fromEntries(values) as ValuesOf<Own>
}

function toColumn({ value }: Field, said: unknown): unknown {
  if (said === null || said === undefined) return null
  if (value.type === 'instant') return Date.parse(String(said))
  if (value.type === 'flag' && value.words) return said === true ? value.words.yes : value.words.no
  return said
}

function fromColumn({ value }: Field, stored: string | number | null): unknown {
  if (stored === null) return null
  if (value.type === 'instant') return new Date(stored).toISOString()
  if (value.type === 'flag' && value.words) return stored === value.words.yes
  return stored
}

function complete({ value, initial = null }: Field, stored: unknown): unknown {
  if (stored === undefined) return initial
  if (stored === null) return null
  if (value.type === 'group') return completeAll(value.fields, stored as Values)
  if (value.type === 'list') return (stored as Values[]).map((entry) => completeAll(value.of, entry))
  return stored
}

function completeAll(fields: Fields, stored: Values): Values {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, complete(field, stored[key])]))
}
