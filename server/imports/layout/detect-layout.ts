import type { FoundLayout } from '#domain/imports/import-layout.schema.ts'
import type { TableStart } from '../formats/read-csv.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { PairColumn, readShapeOf, shapeNotationOf } from '../geometry/read-shape.ts'
import { isBlank } from '../mapping/read-values.ts'
import { isInDegrees, readCoordinate } from '../values/read-coordinate.ts'
import { DateColumn, foundDates } from './date-columns.ts'
import { DecimalMarks } from './number-columns.ts'

/** Number of rows from which the layout is detected. */
export const rowsExamined = 500
/** Shapes may be long, so that a few of them are enough. */
const shapesExamined = 20
const mostCharacters = 80

export type Examined = FoundLayout & {
  dateColumns: ReadonlyMap<string, DateColumn>
  pairColumns: ReadonlyMap<string, PairColumn>
  /** Null for a format whose numbers have a decimal point. */
  decimalMarks: DecimalMarks | null
}

/** The first rows of a file; `table` is the start of a CSV file. */
export function detectLayout(records: readonly SourceRecord[], table: TableStart | undefined): Examined {
  const values = valuesByColumn(records)
  const dateColumns = new Map<string, DateColumn>()
  const pairColumns = new Map<string, PairColumn>()
  for (const [column, ofColumn] of values) {
    const [dates, pairs] = [new DateColumn(), new PairColumn()]
    for (const value of ofColumn) {
      dates.add(value)
      pairs.add(value)
    }
    dateColumns.set(column, dates)
    pairColumns.set(column, pairs)
  }
  const hasShapes = records.some(({ geometry }) => geometry !== undefined && geometry !== null)
  const geometryColumn = hasShapes ? null : findGeometryColumn(values)
  const decimalMarks = table ? new DecimalMarks(table.separator) : null
  for (const ofColumn of values.values()) for (const value of ofColumn) decimalMarks?.add(value)
  return {
    headerRow: table?.headerRow ?? null,
    firstRows: table?.rows.map((cells) => cells.slice(0, 40).map(shorten)) ?? [],
    geometryColumn,
    decimalMark: decimalMarks?.mark ?? 'point',
    degreesMinutesSeconds: findDegrees(values),
    dates: foundDates(dateColumns),
    excelDates: [...dateColumns].flatMap(([column, dates]) =>
      dates.hasExcelDays && isNamedLikeDate(column) ? [column] : [],
    ),
    address: findAddress(values),
    dateColumns,
    pairColumns,
    decimalMarks,
  }
}

type Values = ReadonlyMap<string, readonly unknown[]>

function valuesByColumn(records: readonly SourceRecord[]): Values {
  const values = new Map<string, unknown[]>()
  for (const { properties } of records)
    for (const [column, value] of properties) {
      const known = values.get(column) ?? []
      values.set(column, known)
      if (!isBlank(value)) known.push(value)
    }
  return values
}

const shorten = (cell: string) =>
  cell.length > mostCharacters ? `${cell.slice(0, mostCharacters - 1).toWellFormed()}…` : cell

const isNamedLikeDate = (column: string) =>
  /date|day|built|install|opened|closed|reported|when|_dt$/i.test(column)

function findGeometryColumn(values: Values): FoundLayout['geometryColumn'] {
  const found = [...values].flatMap(([name, ofColumn]) => {
    const examined = ofColumn.slice(0, shapesExamined)
    const notations = examined.flatMap((value) => shapeNotationOf(value) ?? [])
    const [notation] = notations
    return notation && notations.length * 2 > examined.length
      ? [{ name, notation, isOfPoints: examined.every(isPoint) }]
      : []
  })
  // A link to the map beside a shape adds nothing to it.
  return found.find(({ isOfPoints }) => !isOfPoints) ?? found[0] ?? null
}

function isPoint(value: unknown): boolean {
  if (shapeNotationOf(value) === 'latitude-longitude') return true
  const shape = readShapeOf(value)
  return shape === undefined || (shape as { type?: unknown }).type === 'Point'
}

function findDegrees(values: Values): string | null {
  for (const ofColumn of values.values()) {
    const [first] = ofColumn
    if (typeof first !== 'string' || first.length > 40 || !/\d.*\d/.test(first) || !isInDegrees(first))
      continue
    const degrees = readCoordinate(first)
    if (degrees !== undefined && Math.abs(degrees) <= 180 && /[°º˚]|[NSEW]\s*$|^\s*[NSEW]/i.test(first))
      return first
  }
  return null
}

const houseNumber =
  /^(add(r(ess)?)?|house|street|st|str|site|situs|prop(erty)?|loc(ation)?)?_?\s*(num(ber)?|no|nbr|nr|#)$/i
const street =
  /^(full|site|situs|prop(erty)?|add(r(ess)?)?|loc(ation)?)?_?\s*(st(reet)?|str|road)_?\s*(name)?$/i

/** A house number and a street in columns of their own; the number alone is no name, nor is the street. */
function findAddress(values: Values): string[] | null {
  const columns = [...values.keys()]
  const isHouseNumber = (value: unknown) =>
    /^\d{1,6}\s?[a-z]?(\s?[-/]\s?\d{1,6}[a-z]?)?( 1\/2)?$/i.test(String(value).trim())
  const number = columns.find(
    (column) => houseNumber.test(column.trim()) && mostly(values.get(column) ?? [], isHouseNumber),
  )
  const name = columns.find(
    (column) =>
      street.test(column.trim()) &&
      mostly(
        values.get(column) ?? [],
        (value) => /^(?!\d+ )\D*\p{L}/u.test(String(value)) || /^\d+(st|nd|rd|th)\b/i.test(String(value)),
      ),
  )
  return number !== undefined && name !== undefined ? [number, name] : null
}

const mostly = (values: readonly unknown[], is: (value: unknown) => boolean) =>
  values.length > 0 && values.filter(is).length * 10 >= values.length * 8
