import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { DecimalMark, FoundLayout, ImportLayout } from '#domain/imports/import-layout.schema.ts'
import { detectedLayout } from '#domain/imports/import-layout.schema.ts'
import type { TableStart } from '../formats/read-csv.ts'
import { type ImportInput, readRecords } from '../formats/read-records.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import type { Coordinates } from '../geometry/read-geometry.ts'
import type { PairColumn } from '../geometry/read-shape.ts'
import { ImportError } from '../import-error.ts'
import type { Fields } from '../mapping/fields.ts'
import { ColumnMapping } from '../mapping/map-columns.ts'
import { type DateStyle, inOrder } from '../values/read-dates.ts'
import type { DateColumn } from './date-columns.ts'
import { detectLayout, type Examined, rowsExamined } from './detect-layout.ts'
import { namedProjections } from './named-projections.ts'

/** How the rows of a file are read: the detected layout, with what a person said instead. */
export type Layout = {
  headerRow: number | null
  decimalMark: DecimalMark
  /** Order of two coordinates in a cell of the geometry column. */
  pairOrder: PairColumn['order']
  dates: ReadonlyMap<string, DateStyle>
  /** Columns whose dates could be day first or month first, by column. */
  unclearDates: ReadonlyMap<string, DateColumn>
  /** Columns that are made of others, and those of constants. */
  made: readonly MadeColumn[]
  /** The column of each field that a person named, or that was detected. */
  columns: ReadonlyMap<string, string>
}

export type MadeColumn = { name: string; field: string } & ({ of: readonly string[] } | { value: string })

export type LayoutRequest = {
  said: ImportLayout | undefined
  /** The column of each field that a person named. */
  columns: ReadonlyMap<string, string>
  fields: Fields
  /** Field that an address fills, where nothing else does. */
  addressField: string | undefined
}

const silent = () => {}

/** Lots are known by their addresses. */
export const addressFieldOf = (kind: FeatureKind) => (kind === 'parcel' ? 'name' : undefined)

/** The first records, the start of a table, and what is wrong with the file as far as it was read. */
export async function readStart(input: ImportInput, headerRow: number | null) {
  const records: SourceRecord[] = []
  let table: TableStart | undefined
  let problem: ImportError | undefined
  const onTable = (found: TableStart) => {
    table = found
  }
  try {
    for await (const record of readRecords(input, silent, { headerRow, onTable })) {
      records.push(record)
      if (records.length >= rowsExamined) break
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    problem = error
  }
  return { records, table: table as TableStart | undefined, problem }
}

/** `named` are the projections that shapes of the file name themselves. */
export type DecidedLayout = Layout & Pick<Coordinates, 'named'>

/**
 * Reads the first rows, and more of the file only where these do not prove the order of dates, the order of coordinates in one
 * cell, or the decimal mark. What is wrong with the file is told when its rows are read.
 */
export async function decideLayout(input: ImportInput, request: LayoutRequest): Promise<DecidedLayout> {
  const said = request.said ?? detectedLayout
  const { records, table } = await readStart(input, said.headerRow)
  const found = detectLayout(records, table)
  const layout = layoutOf(found, request)
  if (table && records.length > 0) requireColumns(layout, [...found.dateColumns.keys()])
  if (records.length >= rowsExamined)
    await readOn(input, said.headerRow, unprovenColumns(found, layout, request))
  return { ...layoutOf(found, request), named: await namedProjections(records, layout.columns.get('wkt')) }
}

/** A column of a table that is joined must be there. */
function requireColumns({ made }: Layout, names: readonly string[]) {
  const missing = made
    .flatMap((column) => ('of' in column ? column.of : []))
    .find((one) => !names.includes(one))
  if (missing !== undefined)
    throw new ImportError(`No row has a column "${missing}"; the columns are ${names.join(', ')}.`)
}

/** What is read of a column until its values prove how they are written. */
type Unproven = { column: string; add(value: unknown): void; isProven(): boolean }

/** The columns that fill a field, and whose first values could be read in two ways. */
function unprovenColumns(
  { dateColumns, pairColumns, decimalMarks }: Examined,
  { columns, made }: Layout,
  { fields, said }: LayoutRequest,
): Unproven[] {
  const mapping = new ColumnMapping(fields, columns)
  const names = [...dateColumns.keys(), ...made.map(({ name }) => name)]
  const filled = mapping.assign(
    names.map((name) => [name, null] as const),
    new Set(),
  ).fields
  const unproven = [...filled].flatMap(([field, { column }]): Unproven[] => {
    const { isDate, isNumber } = fields[field]?.reader ?? {}
    const [dates, pairs] = [dateColumns.get(column), pairColumns.get(column)]
    if (isDate && dates && said?.dates[column] === undefined)
      return [
        { column, add: (value) => dates.add(value), isProven: () => !dates.isUnclear && !dates.isEmpty },
      ]
    if (isNumber && decimalMarks && !said?.decimalMark)
      return [{ column, add: (value) => decimalMarks.add(value), isProven: () => decimalMarks.isProven }]
    if (field === 'wkt' && pairs?.hasPairs)
      return [{ column, add: (value) => pairs.add(value), isProven: () => pairs.isProven }]
    return []
  })
  return unproven.filter(({ isProven }) => !isProven())
}

/** Reads rows behind the first ones, until each of the columns is proven. */
async function readOn(input: ImportInput, headerRow: number | null, unproven: readonly Unproven[]) {
  if (unproven.length === 0) return
  const ofColumn = new Map(unproven.map((one) => [one.column, one]))
  try {
    for await (const { rowNumber, properties } of readRecords(input, silent, { headerRow })) {
      if (rowNumber <= rowsExamined) continue
      for (const [column, value] of properties) ofColumn.get(column)?.add(value)
      if (unproven.every((one) => one.isProven())) return
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
  }
}

/** The layout of the first rows as it is read. */
export function layoutOf(found: Examined, request: LayoutRequest): Layout {
  const said = request.said ?? detectedLayout
  const { columns, made } = columnsOfLayout(found, [...found.dateColumns.keys()], request)
  const dates = [...found.dateColumns].map(([column, ofColumn]): [string, DateStyle] => {
    const order = said.dates[column]
    return [column, order ? { ...ofColumn.style, ...inOrder(order) } : ofColumn.style]
  })
  const unclear = [...found.dateColumns].filter(
    ([column, ofColumn]) => ofColumn.isUnclear && said.dates[column] === undefined,
  )
  return {
    headerRow: said.headerRow,
    decimalMark: said.decimalMark ?? found.decimalMarks?.mark ?? 'point',
    pairOrder: found.pairColumns.get(columns.get('wkt') ?? '')?.order ?? 'latitude-first',
    dates: new Map(dates),
    unclearDates: new Map(unclear),
    made,
    columns,
  }
}

/** The column of each field that a person named or that was detected, and the columns that are made. */
export function columnsOfLayout(
  found: Pick<FoundLayout, 'geometryColumn' | 'address'> | null,
  names: readonly string[],
  request: LayoutRequest,
): Pick<Layout, 'columns' | 'made'> {
  const made = madeColumns(found?.address ?? null, names, request)
  const geometryColumn = request.said?.geometryColumn ?? detectedColumn(found, names, request)
  const columns = new Map([
    ...(geometryColumn === '' ? [] : [['wkt', geometryColumn] as const]),
    ...request.columns,
    ...made.map(({ field, name }) => [field, name] as const),
  ])
  return { columns, made }
}

/** Points in a column add nothing to latitude and longitude in columns of their own. */
function detectedColumn(
  found: Pick<FoundLayout, 'geometryColumn'> | null,
  names: readonly string[],
  { columns, fields }: LayoutRequest,
): string {
  if (!found?.geometryColumn) return ''
  const byName = new ColumnMapping(fields, columns)
  const hasBoth = byName.canFill('latitude', names) && byName.canFill('longitude', names)
  return hasBoth && found.geometryColumn.isOfPoints ? '' : found.geometryColumn.name
}

function madeColumns(
  address: string[] | null,
  names: readonly string[],
  { said = detectedLayout, columns, fields, addressField }: LayoutRequest,
): MadeColumn[] {
  const joined = new Map(Object.entries(said.joined))
  if (addressField !== undefined && address && !joined.has(addressField) && !columns.has(addressField)) {
    const byName = new ColumnMapping(fields, columns)
    if (!byName.canFill(addressField, names)) joined.set(addressField, address)
  }
  const isField = (field: string) => Object.hasOwn(fields, field)
  return [
    ...[...joined].flatMap(([field, of]): MadeColumn[] =>
      isField(field) && of.length > 0 ? [{ field, of, name: of.join(' + ') }] : [],
    ),
    ...Object.entries(said.constants).flatMap(([field, value]): MadeColumn[] =>
      isField(field) ? [{ field, value, name: `${field} of all rows` }] : [],
    ),
  ]
}

/** A record with the columns that its layout makes. */
export function arrange(record: SourceRecord, { made }: Pick<Layout, 'made'>): SourceRecord {
  if (made.length === 0) return record
  const values = new Map(record.properties)
  const added = made.map((column): [string, unknown] => [
    column.name,
    'of' in column ? join(column.of, values) : column.value,
  ])
  return { ...record, properties: [...record.properties, ...added] }
}

function join(columns: readonly string[], values: ReadonlyMap<string, unknown>): string | null {
  const parts = columns.map((column) => String(values.get(column) ?? '').trim()).filter((part) => part !== '')
  return parts.length > 0 ? parts.join(' ') : null
}
