import { identityColumns } from '#domain/exports/export-format.ts'
import { formatList, formatNumber } from '#domain/values/wording.ts'
import type { StagedFeaturesTable } from '../../database/tables.ts'
import { toFeatureRow } from '../../features/rows/feature-row.ts'
import { type FileFormat, type ImportInput, readRecords } from '../formats/read-records.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { ImportError } from '../import-error.ts'
import type { ReportedRow } from '../import-watch.ts'
import { addressFieldOf, arrange, type DecidedLayout, decideLayout } from '../layout/decide-layout.ts'
import { type BuiltRow, buildRow, nameOfRow, type RowContext } from '../mapping/build-row.ts'
import { type Fields, fieldsOfKind } from '../mapping/fields.ts'
import { ColumnMapping } from '../mapping/map-columns.ts'
import { isOwnColumn, OwnRows } from '../mapping/own-rows.ts'
import { WordMeanings } from '../mapping/read-values.ts'
import { digitsOf, featureIdOf } from '../mapping/source-identity.ts'
import { openProjection } from '../projections/find-projection.ts'
import type { ReadingOptions } from './reading-options.ts'
import { FirstRows, IdColumns, type Survey, Surveyor } from './survey.ts'

export type RowCounts = { rows: number; refused: number; repaired: number; leftOut: number }

export type RowBatch = {
  columns: readonly (keyof StagedFeaturesTable)[]
  /** Values of all rows, one after the other: as databases take them, and cheap to send to another thread. */
  values: unknown[]
  reported: ReportedRow[]
  placeless: ReportedRow[]
  notices: string[]
  total: RowCounts & { staged: number; bytesRead: number }
  /** Only in the last batch. */
  survey?: Survey
}

export type ReadingKey = { importId: string; now: number }

/** The geometry of a staged row without a place, until it gets that of its feature. */
export const missingPlace = 'null'

const recordsPerBatch = 500
/** Large geometries fill a batch before its records do. */
const charactersPerBatch = 2 ** 21

/** Yields all batches and notices before it throws. */
export async function* readBatches(
  input: ImportInput,
  options: ReadingOptions,
  { importId, now }: ReadingKey,
): AsyncGenerator<RowBatch> {
  const fields = fieldsOfKind(options.kind, options.customFields)
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

  const take = (record: SourceRecord & { format: FileFormat }) => {
    const { maxRows } = options
    if (maxRows !== undefined && counts.rows >= maxRows)
      throw new ImportError(
        `The file has more than ${formatNumber(maxRows)} rows, the limit for one import. Split the file.`,
      )
    counts.rows++
    const { rowNumber, line } = record
    const fixed = replaceValues(record, options.mended?.get(rowNumber))
    const own = ownRows.read(fixed, record.format)
    const built = own ? buildRow(own.record, own.context) : buildRow(arrange(fixed, layout), context)
    const { sourceId } = built
    const reported = { rowNumber, line, sourceId, name: nameOfRow(built) }
    if (options.leftOut?.has(rowNumber)) {
      counts.leftOut++
      const featureId = built.outcome === 'built' ? built.feature.id : idOf(sourceId, own !== undefined)
      batch.reported.push({
        ...reported,
        featureId,
        outcome: 'left-out',
        reason: leftOutByHand,
        ...asInFile(record),
      })
      return
    }
    const row = refuseSecond(built, firstRows, rowNumber)
    if (row.outcome === 'refused') {
      if (row.misplaced) surveyor.noteMisplaced({ rowNumber, ...row.misplaced })
      // Of a refused row only values that were not understood count.
      if (row.filled)
        context.mapping.note(
          row.filled.filter(({ unknown }) => unknown !== undefined),
          rowNumber,
        )
      counts.refused++
      const featureId = idOf(sourceId, own !== undefined)
      batch.reported.push({
        ...reported,
        featureId,
        outcome: 'refused',
        reason: row.reason,
        ...asInFile(fixed),
      })
      return
    }
    if (sourceId !== undefined) idColumns.othersHaveId = true
    else if (!own) idColumns.note(fixed)
    if (row.repaired !== undefined) {
      counts.repaired++
      batch.reported.push({ ...reported, outcome: 'repaired', reason: row.repaired })
    }
    const staged = {
      ...toFeatureRow(row.feature, { now, importId, customFields: options.customFields }),
      row_number: rowNumber,
    }
    context.mapping.note(row.filled, rowNumber)
    if (row.keepsPlace) {
      staged.geometry = missingPlace
      const reason = noPlaceToKeep(row.feature.id)
      const { id: featureId } = row.feature
      batch.placeless.push({ ...reported, featureId, outcome: 'refused', reason, ...asInFile(fixed) })
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
  const metadataColumns =
    firstRows.size > 0 ? unused : unused.filter((column) => !context.mapping.fillsField(column))
  const ownColumns = ownRows.columns.size > 0 ? [...ownRows.columns] : null
  const columns = {
    filled,
    kept: ownColumns ? metadataColumns.filter((column) => !isOwnColumn(column)) : metadataColumns,
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

const noPlaceToKeep = (id: string) => `it has no location, and the map has no feature ${id} with a location`

const leftOutByHand = 'you excluded it'

function replaceValues(
  record: SourceRecord,
  values: Readonly<Record<string, string>> | undefined,
): SourceRecord {
  if (!values) return record
  const names = new Set(record.properties.map(([name]) => name))
  const added = Object.entries(values).filter(([name]) => !names.has(name))
  const properties = record.properties.map(([name, value]) => [name, values[name] ?? value] as const)
  return { ...record, properties: [...properties, ...added] }
}

/** Empty if the record is nested too deeply for JSON. */
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
  reported: [],
  placeless: [],
  notices: [],
})

function rowContext(
  options: ReadingOptions,
  { fields, layout }: { fields: Fields; layout: DecidedLayout },
): RowContext {
  const { kind, mapId, source, type, columns = new Map(), timeZone = 'UTC', areaUnit = 'acre' } = options
  const { areCoordinatesSwapped: isSwapped = false, projection, customFields } = options
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
    customFields,
    coordinates,
    decimalMark,
    pairOrder,
    dateColumns,
  }
}

function refuseSecond(row: BuiltRow, firstRows: FirstRows, rowNumber: number): BuiltRow {
  if (row.outcome === 'refused') return row
  const { feature, sourceId } = row
  const first = firstRows.claim(digitsOf(feature.id), rowNumber)
  if (first === undefined) return row
  const reason =
    sourceId === undefined
      ? `it is the same as row ${first} and has no id`
      : `id "${sourceId}" is already used in row ${first}`
  return { outcome: 'refused', reason, sourceId, name: nameOfRow(row) }
}

function checkCoordinateColumns(record: SourceRecord, mapping: ColumnMapping) {
  const columns = record.properties.map(([name]) => name)
  if (mapping.canFill('wkt', columns) || identityColumns.every((name) => columns.includes(name))) return
  const missing = ['latitude', 'longitude'].filter((field) => !mapping.canFill(field, columns))
  if (missing.length === 0) return
  throw new ImportError(
    `The table has no column for ${formatList(missing)}. Its columns are ${formatList(columns)}.`,
    { remedy: 'columns', fields: missing },
  )
}

const problemsLeftOut = (column: string) =>
  `The column ${column} was not imported. It has the reasons in files of skipped rows.`

function checkNamedColumns(mapping: ColumnMapping, rows: number) {
  const [unseen] = mapping.unseenColumns
  if (unseen === undefined || rows === 0) return
  throw new ImportError(
    `No row has a column "${unseen}". The columns are ${formatList(mapping.seenColumns)}.`,
  )
}

async function* countBytes(chunks: AsyncIterable<Uint8Array>, onBytes: (count: number) => void) {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}
