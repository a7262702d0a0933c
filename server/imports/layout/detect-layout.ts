import type { DateOrder, DecimalMark, FoundLayout } from '#domain/imports/import-layout.schema.ts'
import type { TableStart } from '../formats/read-csv.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { PairColumn, readShapeOf, shapeNotationOf } from '../geometry/read-shape.ts'
import { isBlank } from '../mapping/read-values.ts'
import { isInDegrees, readCoordinate } from '../values/read-coordinate.ts'
import {
  compactDateOf,
  type DateSeparator,
  type DateStyle,
  excelDayOf,
  numericDateOf,
} from '../values/read-dates.ts'

export const rowsExamined = 500
/** Shapes may be long, so that fewer are read. */
const shapesExamined = 20
const maxCharacters = 80

export type Examined = FoundLayout & {
  dateColumns: ReadonlyMap<string, DateColumn>
  pairColumns: ReadonlyMap<string, PairColumn>
  decimalMarks: DecimalMarks | null
}

const groupedBy = (mark: string) => new RegExp(`^[-+]?\\d{1,3}(${mark}\\d{3})+$`)
const [groupedByCommas, groupedByPoints] = [groupedBy(','), groupedBy('\\.')]

class DecimalMarks {
  private readonly separator: string
  private hasPoint = false
  private hasComma = false

  constructor(separator: string) {
    this.separator = separator
  }

  add(value: unknown) {
    if (typeof value !== 'string') return
    const text = value.trim()
    const maybeGroups = this.separator === ';' ? groupedByPoints : groupedByCommas
    if (maybeGroups.test(text)) return
    if (/^[-+]?[\d,]*\d\.\d+$/.test(text)) this.hasPoint = true
    if (/^[-+]?[\d.]*\d,\d+$/.test(text)) this.hasComma = true
  }

  get isProven(): boolean {
    return this.hasPoint || this.hasComma
  }

  get mark(): DecimalMark {
    return this.hasComma && !this.hasPoint ? 'comma' : 'point'
  }
}

export function detectLayout(records: readonly SourceRecord[], table: TableStart | undefined): Examined {
  const values = valuesByColumn(records)
  const dateColumns = new Map<string, DateColumn>()
  const pairColumns = new Map<string, PairColumn>()
  const decimalMarks = table ? new DecimalMarks(table.separator) : null
  for (const [column, columnValues] of values) {
    const [dates, pairs] = [new DateColumn(), new PairColumn()]
    for (const value of columnValues)
      for (const detector of [dates, pairs, decimalMarks]) detector?.add(value)
    dateColumns.set(column, dates)
    pairColumns.set(column, pairs)
  }
  const hasShapes = records.some(({ geometry }) => geometry !== undefined && geometry !== null)
  return {
    headerRow: table?.headerRow ?? null,
    firstRows: table?.rows.map((cells) => cells.slice(0, 40).map(shorten)) ?? [],
    geometryColumn: hasShapes ? null : findGeometryColumn(values),
    decimalMark: decimalMarks?.mark ?? 'point',
    degreesMinutesSeconds: findDegrees(values),
    dates: foundDates(dateColumns),
    excelDates: [...dateColumns].flatMap(([column, dates]) =>
      dates.hasExcelDays && /date|day|built|install|opened|closed|reported|when|_dt$/i.test(column)
        ? [column]
        : [],
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
      const columnValues = values.get(column) ?? []
      values.set(column, columnValues)
      if (!isBlank(value)) columnValues.push(value)
    }
  return values
}

const shorten = (cell: string) =>
  cell.length > maxCharacters ? `${cell.slice(0, maxCharacters - 1).toWellFormed()}…` : cell

function findGeometryColumn(values: Values): FoundLayout['geometryColumn'] {
  const found = [...values].flatMap(([name, columnValues]) => {
    const examined = columnValues.slice(0, shapesExamined)
    const notations = examined.flatMap((value) => shapeNotationOf(value) ?? [])
    const [notation] = notations
    return notation && notations.length * 2 > examined.length
      ? [{ name, notation, isOfPoints: examined.every(isPoint) }]
      : []
  })
  // A column of links to a map beside a column of shapes adds nothing.
  return found.find(({ isOfPoints }) => !isOfPoints) ?? found[0] ?? null
}

function isPoint(value: unknown): boolean {
  if (shapeNotationOf(value) === 'latitude-longitude') return true
  const shape = readShapeOf(value)
  return shape === undefined || (shape as { type?: unknown }).type === 'Point'
}

function findDegrees(values: Values): string | null {
  const firstValues = [...values.values()].flatMap(([first]) => (typeof first === 'string' ? first : []))
  const found = firstValues.find((text) => {
    if (text.length > 40 || !/\d.*\d/.test(text) || !isInDegrees(text)) return false
    const degrees = readCoordinate(text) ?? Number.POSITIVE_INFINITY
    return Math.abs(degrees) <= 180 && /[°º˚]|[NSEW]\s*$|^\s*[NSEW]/i.test(text)
  })
  return found ?? null
}

const numberColumn =
  /^(add(r(ess)?)?|house|street|st|str|site|situs|prop(erty)?|loc(ation)?)?_?\s*(num(ber)?|no|nbr|nr|#)$/i
const streetColumn =
  /^(full|site|situs|prop(erty)?|add(r(ess)?)?|loc(ation)?)?_?\s*(st(reet)?|str|road)_?\s*(name)?$/i
const houseNumber = /^\d{1,6}\s?[a-z]?(\s?[-/]\s?\d{1,6}[a-z]?)?( 1\/2)?$/i
const streetName = /^(?!\d+ )\D*\p{L}|^\d+(st|nd|rd|th)\b/iu

/** Columns with a house number and with a street, which are a name only together. */
function findAddress(values: Values): string[] | null {
  const find = (name: RegExp, pattern: RegExp) =>
    [...values].find(([column, columnValues]) => {
      const matching = columnValues.filter((value) => pattern.test(String(value).trim()))
      return (
        name.test(column.trim()) && matching.length > 0 && matching.length * 10 >= columnValues.length * 8
      )
    })?.[0]
  const [number, street] = [find(numberColumn, houseNumber), find(streetColumn, streetName)]
  return number !== undefined && street !== undefined ? [number, street] : null
}

type Group = { proofs: Set<DateOrder>; unclear: number }

const maxExamples = 3

export class DateColumn {
  readonly examples: string[] = []
  private values = 0
  private numericDates = 0
  private excelDays = 0
  private hasNoExcelDays = false
  private hasNoCompactDates = false
  private readonly groups = new Map<DateSeparator, Group>()

  add(value: unknown) {
    if (isBlank(value)) return
    this.values++
    if (compactDateOf(value) === false) this.hasNoCompactDates = true
    const excelDay = excelDayOf(value)
    if (excelDay === false) this.hasNoExcelDays = true
    if (excelDay) this.excelDays++
    const date = numericDateOf(value)
    if (!date) return
    this.numericDates++
    const group = this.groups.get(date.separator) ?? { proofs: new Set(), unclear: 0 }
    this.groups.set(date.separator, group)
    if (date.proves) group.proofs.add(date.proves)
    else {
      group.unclear++
      if (this.examples.length < maxExamples) this.examples.push(String(value).trim())
    }
  }

  get isProven(): boolean {
    return this.values > 0 && !this.isUnclear
  }

  get isNumeric(): boolean {
    return this.numericDates * 2 >= this.values && this.numericDates > 0
  }

  get hasExcelDays(): boolean {
    return this.excelDays > 0 && !this.hasNoExcelDays
  }

  get isUnclear(): boolean {
    return [...this.groups.values()].some((group) => group.unclear > 0 && provenOrder(group) === undefined)
  }

  get order(): DateOrder | null {
    const orders = new Set(Object.values(this.style.orders ?? {}))
    const [order = null] = orders
    return this.isUnclear || orders.size > 1 ? null : order
  }

  get style(): DateStyle {
    const orders: Partial<Record<DateSeparator, DateOrder>> = {}
    for (const [separator, group] of this.groups) {
      const order = provenOrder(group)
      if (order) orders[separator] = order
    }
    return { orders, hasExcelDays: this.hasExcelDays, hasNoCompactDates: this.hasNoCompactDates }
  }
}

function provenOrder({ proofs }: Group): DateOrder | undefined {
  const [order, ...others] = proofs
  return others.length === 0 ? order : undefined
}

export const foundDates = (columns: ReadonlyMap<string, DateColumn>): FoundLayout['dates'] =>
  [...columns].flatMap(([column, dates]) =>
    dates.isNumeric ? [{ column, order: dates.order, examples: dates.examples }] : [],
  )
