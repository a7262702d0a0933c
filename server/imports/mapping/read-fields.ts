import { Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { type DateStyle, isOddYear, isPartialDate, isUnclearDate } from '../values/read-dates.ts'
import { isRounded } from '../values/read-numbers.ts'
import type { Field, Fields } from './fields.ts'
import type { Assigned, Filling } from './map-columns.ts'
import { isBlank, type ReadContext } from './read-values.ts'

/** A value that its field cannot take. `filled` has it, and the values read before it. */
export class UnknownValueRefusal extends Refusal {
  readonly filled: readonly Filling[]
  constructor(reason: string, filled: readonly Filling[]) {
    super(reason)
    this.filled = filled
  }
}

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
    const isInexact = reader.isNumber && read !== undefined && isRounded(value, context.decimalMark)
    filled.push({
      field,
      column,
      ...(read === undefined ? { unknown: value } : {}),
      ...(isOdd ? { odd: value } : {}),
      ...(isInexact ? { rounded: value } : {}),
    })
    if (read !== undefined) values.set(field, read)
    else if (isExplicit)
      throw new UnknownValueRefusal(
        `${nameField(field, column)} ${quoteValue(value)} ${whyUnknown(value, reader, dates || {})}`,
        filled,
      )
    else if (field !== 'id') kept.push([column, value])
  }
  return { values, rest: kept, filled }
}

function whyUnknown(value: unknown, { isDate, expected }: Field['reader'], dates: DateStyle): string {
  if (isDate && isUnclearDate(value, dates)) return 'could be day first or month first'
  if (isDate && isPartialDate(value)) return 'names no day; write it in the file, such as 2020-12-01'
  return `is not ${expected}`
}

function nameField(field: string, column: string): string {
  return field === column ? field : `${field} (column ${column})`
}
