import { UnknownValueRefusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { isOddYear, isUnclearDate } from '../values/read-dates.ts'
import type { Field, Fields } from './fields.ts'
import type { Assigned, Filling } from './map-columns.ts'
import { isBlank, type ReadContext } from './read-values.ts'

export type ReadFields = {
  /** Values of the fields that the record fills. */
  values: Map<string, unknown>
  /** Columns that fill no field, to be kept as metadata. */
  rest: Assigned['rest']
  /** Which column filled which field, or would have if its value were understood. */
  filled: Filling[]
}

/**
 * Reads what the columns say. A value that is not understood refuses the row where a person named the column,
 * and stays metadata where we only took the column for the field by its name.
 */
export function readFields(known: Fields, { fields, rest }: Assigned, context: ReadContext): ReadFields {
  const values = new Map<string, unknown>()
  const kept = [...rest]
  const filled: Filling[] = []
  for (const [field, { column, value: said, isExplicit }] of fields) {
    const value = context.words?.meaningOf(field, said) ?? said
    if (isBlank(value)) continue
    const { reader } = known[field] as Field
    const dates = reader.isDate && context.dateColumns?.get(column)
    const read = reader.read(value, dates ? { ...context, dates } : context)
    const isOdd = reader.isDate && typeof read === 'string' && isOddYear(read)
    filled.push({
      field,
      column,
      ...(read === undefined ? { unknown: value } : {}),
      ...(isOdd ? { odd: value } : {}),
    })
    if (read !== undefined) values.set(field, read)
    else if (isExplicit)
      throw new UnknownValueRefusal(
        `${nameField(field, column)} ${quoteValue(value)} ${
          reader.isDate && isUnclearDate(value, dates || {})
            ? 'could be day first or month first'
            : `is not ${reader.expected}`
        }`,
        filled,
      )
    else if (field !== 'id') kept.push([column, value])
  }
  return { values, rest: kept, filled }
}

function nameField(field: string, column: string): string {
  return field === column ? field : `${field} (column ${column})`
}
