import { Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { type DateStyle, isOddYear, isPartialDate, isUnclearDate } from '../values/read-dates.ts'
import { isRounded } from '../values/read-numbers.ts'
import type { Field, Fields } from './fields.ts'
import type { Assigned, Filling } from './map-columns.ts'
import { isBlank, type ReadContext } from './read-values.ts'

export class UnknownValueRefusal extends Refusal {
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
export function readFields(definitions: Fields, { fields, rest }: Assigned, context: ReadContext) {
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
    if (reader.isDate && typeof read === 'string' && isOddYear(read)) filling.odd = value
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
  if (isDate && isPartialDate(value)) return 'names no day; write it in the file, such as 2020-12-01'
  return `is not ${expected}`
}
