import { unfilledName } from '#domain/imports/field-labels.ts'
import type { Fields } from '../mapping/fields.ts'
import type { FilledField } from '../mapping/map-columns.ts'
import { quoteValue } from '../quote-value.ts'
import { isPartialDate } from '../values/read-dates.ts'
import { readNumber } from '../values/read-numbers.ts'
import type { Survey } from './survey.ts'

export function findNotes({ filled, ownColumns, withoutId }: Survey, fields: Fields): string[] {
  const names = filled.flatMap(({ field, rows }) => (rows > 0 ? [field] : []))
  const unnamed = ownColumns === null && filled.length > 0 ? unfilledName(fields, names) : null
  return [
    ...(unnamed === null ? [] : [unnamed]),
    ...noteWithoutId(withoutId),
    ...filled.flatMap((one) => noteRounded(one, fields[one.field]?.label ?? one.field)),
    ...filled.flatMap((one) => (fields[one.field]?.reader.isDate ? notePartialDates(one) : [])),
    ...filled.flatMap((one) => (fields[one.field]?.reader.isNumber ? noteOtherMark(one) : [])),
  ]
}

/** Rows without an id are matched by their whole content. */
function noteWithoutId({ rows, othersHaveId, likelyColumn }: Survey['withoutId']): string[] {
  if (rows === 0) return []
  const start = othersHaveId
    ? `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row has' : 'rows have'} no id`
    : 'No column says which row is which'
  const help = othersHaveId ? 'Give each row an id in the file.' : 'Choose the column that holds the id.'
  const likely =
    likelyColumn === null ? '' : ` ${likelyColumn} looks like it: it has a different value in each row.`
  return [
    `${start}: in the next edition of the file such a row is recognized only if nothing in it changed, and a changed row is added again. ${help}${likely}`,
  ]
}

const mostExamples = 3
const examplesOf = (values: readonly string[]) =>
  values
    .slice(0, mostExamples)
    .map((value) => quoteValue(value))
    .join(', ')

function noteRounded({ column, rounded = 0, roundedRows = [] }: FilledField, label: string): string[] {
  if (rounded === 0) return []
  const which = roundedRows.map(({ row, value }) => `row ${row} (${value})`).join(', ')
  const numbers = `${rounded.toLocaleString('en-US')} ${rounded === 1 ? 'number' : 'numbers'}`
  return [
    `${numbers} of the column ${column} had more digits than ‘${label}’ keeps, and ${rounded === 1 ? 'was' : 'were'} rounded: ${which}.`,
  ]
}

function notePartialDates({ column, unknown = [] }: FilledField): string[] {
  const partial = unknown.filter(isPartialDate)
  if (partial.length === 0) return []
  return [
    `Dates of the column ${column} that name no day are not read: ${examplesOf(partial)}. Write the day in the file, such as 2020-12-01.`,
  ]
}

function noteOtherMark({ column, unknown = [] }: FilledField): string[] {
  const [point, comma] = (['point', 'comma'] as const).map((mark) =>
    unknown.filter((value) => readNumber(value, mark) !== undefined),
  )
  const others = point?.length ? point : comma
  if (!others?.length) return []
  const mark = others === point ? 'point' : 'comma'
  return [
    `Numbers of the column ${column} with a decimal ${mark} are not read, as others in the file have the other mark: ${examplesOf(others)}.`,
  ]
}
