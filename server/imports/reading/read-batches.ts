import { identityColumns } from '#domain/exports/export-format.ts'
import type { StagedFeaturesTable } from '../../database/tables.ts'
import { toFeatureRow } from '../../features/rows/feature-row.ts'
import { type FileFormat, type ImportInput, readRecords } from '../formats/read-records.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { ImportError } from '../import-error.ts'
import type { ReadingOptions, RowCounts } from '../import-options.ts'
import { addressFieldOf, arrange, type DecidedLayout, decideLayout } from '../layout/decide-layout.ts'
import { type BuiltRow, buildRow, type RowContext } from '../mapping/build-row.ts'
import { type Fields, fieldsOfKind } from '../mapping/fields.ts'
import { ColumnMapping } from '../mapping/map-columns.ts'
import { isOfOwnRows, OwnRows } from '../mapping/own-rows.ts'
import { WordMeanings } from '../mapping/read-values.ts'
import { digitsOf, featureIdOf } from '../mapping/source-identity.ts'
import { openProjection } from '../projections/projection.ts'
import type { ReportedRow } from '../reported-row.ts'
import { FirstRows } from './first-rows.ts'
import { IdColumns } from './id-columns.ts'
import { type Survey, Surveyor } from './survey.ts'

/** Rows to be staged, and what there is to be told of the records that they came from. */
export type RowBatch = {
  columns: readonly (keyof StagedFeaturesTable)[]
  /** Of all rows, one after the other: as databases are given them, and cheap to hand to another thread. */
  values: unknown[]
  news: ReportedRow[]
  /** Of the rows that keep the place that their feature has: as they are refused where there is no such feature. */
  placeless: ReportedRow[]
  notices: string[]
  /** Of this batch and all before it. */
  total: RowCounts & { staged: number; bytesRead: number }
  /** Of the whole file, with its last batch. */
  survey?: Survey
}

export type ReadingKey = { importId: string; now: number }

/** Stands for the geometry of a staged row that says no place, until it gets the one that its feature has. */
export const keptPlace = 'null'

const recordsPerBatch = 500
/** Large geometries fill a batch before its records do. */
const charactersPerBatch = 2 ** 21

/** Reads a file to its end, record by record. What was to be told before an error comes before the error. */
export async function* readBatches(
  input: ImportInput,
  options: ReadingOptions,
  { importId, now }: ReadingKey,
): AsyncGenerator<RowBatch> {
  const fields = fieldsOfKind(options.kind, options.ownFields)
  const layout = await decideLayout(input, {
    overrides: options.layout,
    columns: options.columns ?? new Map(),
    fields,
    addressField: addressFieldOf(options.kind),
  })
  const context = rowContext({ ...options, columns: layout.columns }, { fields, layout })
  const ownRows = new OwnRows(context, options.kept)
  const firstRows = new FirstRows()
  const idColumns = new IdColumns()
  const surveyor = new Surveyor()
  const counts = { rows: 0, refused: 0, repaired: 0, leftOut: 0 }
  let bytesRead = 0
  let batch = emptyBatch()
  let characters = 0
  const complete = (): RowBatch => ({ ...batch, total: { ...counts, staged: firstRows.size, bytesRead } })
  const onNotice = (notice: string) => batch.notices.push(notice)
  const chunks = countBytes(input.chunks, (bytes) => {
    bytesRead += bytes
  })

  const idOf = (sourceId: string | undefined, isOwn: boolean) =>
    sourceId === undefined || isOwn ? sourceId : featureIdOf(options.kind, options.source, sourceId)

  const { mostRows = Number.POSITIVE_INFINITY } = options

  const take = (record: SourceRecord & { format: FileFormat }) => {
    if (counts.rows >= mostRows)
      throw new ImportError(
        `The file has more than ${mostRows.toLocaleString('en-US')} rows, which are the most that come in at once. Divide it.`,
      )
    counts.rows++
    const { rowNumber, line } = record
    const mended = mend(record, options.mended?.get(rowNumber))
    const own = ownRows.read(mended, record.format)
    const built = own ? buildRow(own.record, own.context) : buildRow(arrange(mended, layout), context)
    const { sourceId } = built
    const told = { rowNumber, line, sourceId }
    if (options.leftOut?.has(rowNumber)) {
      counts.leftOut++
      const featureId = built.outcome === 'built' ? built.feature.id : idOf(sourceId, own !== undefined)
      batch.news.push({ ...told, featureId, outcome: 'left-out', reason: leftOutByHand, ...asInFile(record) })
      return
    }
    const row = refuseSecond(built, firstRows, rowNumber)
    if (row.outcome === 'refused') {
      if (row.misplaced) surveyor.noteMisplaced({ rowNumber, ...row.misplaced })
      // What a row that does not come in has filled counts for nothing but what was not understood.
      if (row.filled)
        context.mapping.note(
          row.filled.filter(({ unknown }) => unknown !== undefined),
          rowNumber,
        )
      counts.refused++
      const featureId = idOf(sourceId, own !== undefined)
      batch.news.push({ ...told, featureId, outcome: 'refused', reason: row.reason, ...asInFile(mended) })
      return
    }
    if (sourceId !== undefined) idColumns.othersHaveId = true
    else if (!own) idColumns.note(mended)
    if (row.repaired !== undefined) {
      counts.repaired++
      batch.news.push({ ...told, outcome: 'repaired', reason: row.repaired })
    }
    const staged = {
      ...toFeatureRow(row.feature, { now, importId, ownFields: options.ownFields }),
      row_number: rowNumber,
    }
    context.mapping.note(row.filled, rowNumber)
    if (row.keepsPlace) {
      staged.geometry = keptPlace
      const reason = noPlaceToKeep(row.feature.id)
      const { id: featureId } = row.feature
      batch.placeless.push({ ...told, featureId, outcome: 'refused', reason, ...asInFile(mended) })
    } else surveyor.notePlace({ rowNumber, lng: staged.lng, lat: staged.lat })
    if (row.namedArea) surveyor.noteArea(row.namedArea, row.feature.geometry)
    if (batch.columns.length === 0) batch.columns = Object.keys(staged) as RowBatch['columns']
    for (const column of batch.columns) batch.values.push(staged[column])
    characters += staged.geometry.length + staged.metadata.length + staged.description.length
  }

  let failure: unknown
  try {
    for await (const record of readRecords({ ...input, chunks }, onNotice, layout)) {
      if (counts.rows === 0) {
        if (record.format === 'csv') checkCoordinateColumns(arrange(record, layout), context.mapping)
        for (const [name] of record.properties)
          if (context.mapping.leavesOut(name)) onNotice(problemsLeftOut(name))
      }
      take(record)
      if (counts.rows % recordsPerBatch !== 0 && characters < charactersPerBatch) continue
      yield complete()
      batch = emptyBatch()
      characters = 0
    }
    checkNamedColumns(context.mapping, counts.rows)
  } catch (error) {
    failure = error
  }
  const { filled, kept: unused } = context.mapping.result
  // If every row was refused, no values were counted, so the columns' names decide.
  const kept = firstRows.size > 0 ? unused : unused.filter((column) => !context.mapping.fillsField(column))
  const ownColumns = ownRows.columns.size > 0 ? [...ownRows.columns] : null
  const columns = {
    filled,
    kept: ownColumns ? kept.filter((column) => !isOfOwnRows(column)) : kept,
    unreadRows: context.mapping.unreadRows,
    ownColumns,
    lostByFormat: [...ownRows.lost],
    withoutId: idColumns.result,
    unclearDates: [...layout.unclearDates].flatMap(([column, { examples }]) =>
      filled.some((one) => one.column === column && fields[one.field]?.reader.isDate)
        ? [{ column, examples }]
        : [],
    ),
  }
  yield { ...complete(), survey: surveyor.finish(counts.rows, columns) }
  if (failure !== undefined) throw failure
}

const noPlaceToKeep = (id: string) => `it says no place, and there is no feature ${id} here that has one`

const leftOutByHand = 'somebody left it out'

/** What somebody said instead of what the file says. */
function mend(record: SourceRecord, said: Readonly<Record<string, string>> | undefined): SourceRecord {
  if (!said) return record
  const known = new Set(record.properties.map(([name]) => name))
  const added = Object.entries(said).filter(([name]) => !known.has(name))
  const properties = record.properties.map(([name, value]) => [name, said[name] ?? value] as const)
  return { ...record, properties: [...properties, ...added] }
}

/** Nothing where it is nested too deeply to be told. */
function asInFile({
  properties,
  geometry,
  id,
}: SourceRecord): Pick<ReportedRow, 'columns' | 'geometry' | 'id'> {
  try {
    return {
      columns: JSON.stringify(properties),
      ...(geometry === undefined ? {} : { geometry: JSON.stringify(geometry) }),
      ...(id === undefined || id === null ? {} : { id: JSON.stringify(id) }),
    }
  } catch {
    return {}
  }
}

const emptyBatch = (): Omit<RowBatch, 'total'> => ({
  columns: [],
  values: [],
  news: [],
  placeless: [],
  notices: [],
})

function rowContext(
  options: ReadingOptions,
  { fields, layout }: { fields: Fields; layout: DecidedLayout },
): RowContext {
  const { kind, mapId, source, type, columns = new Map(), timeZone = 'UTC', areaUnit = 'acre' } = options
  const { areCoordinatesSwapped: isSwapped = false, projection, ownFields } = options
  const mapping = new ColumnMapping(fields, columns, options.kept)
  const { decimalMark, pairOrder, dates: dateColumns, named } = layout
  const coordinates = { isSwapped, projection: projection && openProjection(projection), named }
  const words = options.words && new WordMeanings(options.words)
  return {
    kind,
    mapId,
    source,
    type,
    timeZone,
    areaUnit,
    words,
    mapping,
    ownFields,
    coordinates,
    decimalMark,
    pairOrder,
    dateColumns,
  }
}

/** Two records of one file cannot be one feature. */
function refuseSecond(row: BuiltRow, firstRows: FirstRows, rowNumber: number): BuiltRow {
  if (row.outcome === 'refused') return row
  const { feature, sourceId } = row
  const first = firstRows.claim(digitsOf(feature.id), rowNumber)
  if (first === undefined) return row
  const reason =
    sourceId === undefined
      ? `it says the same as row ${first}, and has no id to tell them apart`
      : `id "${sourceId}" is the id of row ${first} already`
  return { outcome: 'refused', reason, sourceId }
}

function checkCoordinateColumns(record: SourceRecord, mapping: ColumnMapping) {
  const columns = record.properties.map(([name]) => name)
  if (mapping.canFill('wkt', columns) || identityColumns.every((name) => columns.includes(name))) return
  const missing = ['latitude', 'longitude'].filter((field) => !mapping.canFill(field, columns))
  if (missing.length === 0) return
  throw new ImportError(
    `The table has no column for ${missing.join(' and ')}; its columns are ${columns.join(', ')}.`,
    { remedy: 'columns', fields: missing },
  )
}

const problemsLeftOut = (column: string) =>
  `The column ${column} is left out: files of refused rows say in it what is wrong with each.`

function checkNamedColumns(mapping: ColumnMapping, rows: number) {
  const [unseen] = mapping.unseenColumns
  if (unseen === undefined || rows === 0) return
  throw new ImportError(`No row has a column "${unseen}"; the columns are ${mapping.seenColumns.join(', ')}.`)
}

async function* countBytes(chunks: AsyncIterable<Uint8Array>, onBytes: (count: number) => void) {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}
