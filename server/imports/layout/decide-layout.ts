import type { FeatureKind } from '#domain/definition/kinds.ts'
import {
  type DecimalMark,
  detectedLayout,
  type FoundLayout,
  type ImportLayout,
} from '#domain/imports/import-layout.schema.ts'
import { formatList } from '#domain/values/wording.ts'
import { openGdal } from '../conversion/gdal.ts'
import type { TableStart } from '../formats/read-csv.ts'
import { type ImportInput, readRecords } from '../formats/read-records.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { type Coordinates, projectionNamedBy } from '../geometry/read-geometry.ts'
import { type PairColumn, readShapeOf, shapeNotationOf } from '../geometry/read-shape.ts'
import { ImportError } from '../import-error.ts'
import type { Fields } from '../mapping/fields.ts'
import { ColumnMapping } from '../mapping/map-columns.ts'
import { findProjection, openProjection, type Projection } from '../projections/find-projection.ts'
import { type DateStyle, inOrder } from '../values/read-dates.ts'
import { type DateColumn, detectLayout, type Examined, rowsExamined } from './detect-layout.ts'

export type Layout = {
  headerRow: number | null
  decimalMark: DecimalMark
  pairOrder: PairColumn['order']
  dates: ReadonlyMap<string, DateStyle>
  unclearDates: ReadonlyMap<string, DateColumn>
  made: readonly MadeColumn[]
  columns: ReadonlyMap<string, string>
}

type MadeColumn = { name: string; field: string } & ({ of: readonly string[] } | { value: string })

type LayoutRequest = {
  overrides: ImportLayout | undefined
  columns: ReadonlyMap<string, string>
  fields: Fields
  addressField: string | undefined
}

export const addressFieldOf = (kind: FeatureKind) => (kind === 'parcel' ? 'name' : undefined)

export async function readStart(input: ImportInput, headerRow: number | null) {
  const records: SourceRecord[] = []
  const tables: TableStart[] = []
  let problem: ImportError | undefined
  try {
    const onTable = (table: TableStart) => tables.push(table)
    for await (const record of readRecords(input, () => {}, { headerRow, onTable })) {
      records.push(record)
      if (records.length >= rowsExamined) break
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    problem = error
  }
  return { records, table: tables[0], problem }
}

export type DecidedLayout = Layout & Pick<Coordinates, 'named'>

/**
 * Reads the first rows, and more of the file only if these do not prove the order of dates, the order of coordinates in
 * one cell, or the decimal mark. Errors in the file are reported when its rows are read.
 */
export async function decideLayout(input: ImportInput, request: LayoutRequest): Promise<DecidedLayout> {
  const { headerRow } = request.overrides ?? detectedLayout
  const { records, table } = await readStart(input, headerRow)
  const found = detectLayout(records, table)
  const layout = layoutOf(found, request)
  if (table && records.length > 0) requireColumns(layout, [...found.dateColumns.keys()])
  if (records.length >= rowsExamined)
    await readFurther(input, headerRow, unprovenColumns(found, layout, request))
  return { ...layoutOf(found, request), named: await namedProjections(records, layout.columns.get('wkt')) }
}

function requireColumns({ made }: Layout, names: readonly string[]) {
  const joined = made.flatMap((column) => ('of' in column ? column.of : []))
  const missing = joined.find((one) => !names.includes(one))
  if (missing !== undefined)
    throw new ImportError(`No row has a column "${missing}". The columns are ${formatList(names)}.`)
}

type Unproven = { column: string; detector: { add(value: unknown): void; readonly isProven: boolean } }

function unprovenColumns(
  { dateColumns, pairColumns, decimalMarks }: Examined,
  { columns, made }: Layout,
  { fields, overrides }: LayoutRequest,
): Unproven[] {
  const mapping = new ColumnMapping(fields, columns)
  const names = [...dateColumns.keys(), ...made.map(({ name }) => name)]
  const properties = names.map((name) => [name, null] as const)
  const filled = [...mapping.assign(properties, new Set()).fields]
  return filled.flatMap(([field, { column }]): Unproven[] => {
    const { isDate, isNumber } = fields[field]?.reader ?? {}
    const [dates, pairs] = [dateColumns.get(column), pairColumns.get(column)]
    const detector =
      isDate && dates && overrides?.dates[column] === undefined
        ? dates
        : isNumber && decimalMarks && !overrides?.decimalMark
          ? decimalMarks
          : field === 'wkt' && pairs?.hasPairs
            ? pairs
            : undefined
    return detector && !detector.isProven ? [{ column, detector }] : []
  })
}

async function readFurther(input: ImportInput, headerRow: number | null, unproven: readonly Unproven[]) {
  if (unproven.length === 0) return
  const detectors = new Map(unproven.map(({ column, detector }) => [column, detector]))
  try {
    for await (const { rowNumber, properties } of readRecords(input, () => {}, { headerRow })) {
      if (rowNumber <= rowsExamined) continue
      for (const [column, value] of properties) detectors.get(column)?.add(value)
      if (unproven.every(({ detector }) => detector.isProven)) return
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
  }
}

/** Each projection takes a query of the register. */
const maxNamed = 10

/** By their number, in the first rows (EWKT, EWKB, GeoJSON with `crs`). Leaves out unsupported ones. */
export async function namedProjections(
  records: readonly SourceRecord[],
  column: string | undefined,
): Promise<ReadonlyMap<number, Projection>> {
  const shapes = records.flatMap(({ properties }) =>
    properties.flatMap(([name, value]) =>
      // Pairs name none, and an unreadable one is only a fault of its row.
      name === column && shapeNotationOf(value) !== 'latitude-longitude' ? [readShapeOf(value)] : [],
    ),
  )
  const numbers = new Set(shapes.flatMap((shape) => projectionNamedBy(shape) ?? []))
  const found = new Map<number, Projection>()
  for (const number of [...numbers].slice(0, maxNamed)) {
    try {
      found.set(number, openProjection(await findProjection(await openGdal(), `EPSG:${number}`)))
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
    }
  }
  return found
}

export function layoutOf(found: Examined, request: LayoutRequest): Layout {
  const overrides = request.overrides ?? detectedLayout
  const { columns, made } = columnsOfLayout(found, [...found.dateColumns.keys()], request)
  const dates = [...found.dateColumns].map(([column, { style }]): [string, DateStyle] => {
    const order = overrides.dates[column]
    return [column, order ? { ...style, ...inOrder(order) } : style]
  })
  const unclear = [...found.dateColumns].filter(
    ([column, { isUnclear }]) => isUnclear && overrides.dates[column] === undefined,
  )
  return {
    headerRow: overrides.headerRow,
    decimalMark: overrides.decimalMark ?? found.decimalMarks?.mark ?? 'point',
    pairOrder: found.pairColumns.get(columns.get('wkt') ?? '')?.order ?? 'latitude-first',
    dates: new Map(dates),
    unclearDates: new Map(unclear),
    made,
    columns,
  }
}

export function columnsOfLayout(
  found: Pick<FoundLayout, 'geometryColumn' | 'address'> | null,
  names: readonly string[],
  request: LayoutRequest,
): Pick<Layout, 'columns' | 'made'> {
  const { overrides = detectedLayout, columns, fields, addressField } = request
  const byName = new ColumnMapping(fields, columns)
  const isFilled = (field: string) => byName.canFill(field, names)

  const joined = new Map(Object.entries(overrides.joined))
  const address = found?.address
  if (addressField !== undefined && address && !joined.has(addressField) && !columns.has(addressField))
    if (!isFilled(addressField)) joined.set(addressField, address)
  const isField = (field: string) => Object.hasOwn(fields, field)
  const made = [
    ...[...joined].flatMap(([field, of]): MadeColumn[] =>
      isField(field) && of.length > 0 ? [{ field, of, name: of.join(' + ') }] : [],
    ),
    ...Object.entries(overrides.constants).flatMap(([field, value]): MadeColumn[] =>
      isField(field) ? [{ field, value, name: `${field} of all rows` }] : [],
    ),
  ]

  // Points in a column add nothing to columns of latitude and longitude.
  const detected = found?.geometryColumn
  const isRedundant = detected?.isOfPoints && isFilled('latitude') && isFilled('longitude')
  const geometryColumn = overrides.geometryColumn ?? (isRedundant ? '' : (detected?.name ?? ''))
  const named = [
    ...(geometryColumn === '' ? [] : [['wkt', geometryColumn] as const]),
    ...columns,
    ...made.map(({ field, name }) => [field, name] as const),
  ]
  return { columns: new Map(named), made }
}

export function arrange(record: SourceRecord, { made }: Pick<Layout, 'made'>): SourceRecord {
  if (made.length === 0) return record
  const values = new Map(record.properties)
  const join = (columns: readonly string[]) =>
    columns
      .map((column) => String(values.get(column) ?? '').trim())
      .filter((part) => part !== '')
      .join(' ') || null
  const added = made.map((column): [string, unknown] => [
    column.name,
    'of' in column ? join(column.of) : column.value,
  ])
  return { ...record, properties: [...record.properties, ...added] }
}
