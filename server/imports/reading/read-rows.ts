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
import { ColumnMapping, type FoundColumns } from '../mapping/map-columns.ts'
import { isOwnColumn, OwnRows } from '../mapping/own-rows.ts'
import { WordMeanings } from '../mapping/read-values.ts'
import { digitsOf, featureIdOf } from '../mapping/source-identity.ts'
import { openProjection } from '../projections/find-projection.ts'
import type { ReadingOptions } from './reading-options.ts'
import { type FoundIds, IdColumns, idOfDigits, type Survey, type SurveyedShapes, Surveyor } from './survey.ts'

export type RowCounts = { rows: number; refused: number; repaired: number; leftOut: number }

export type BatchCounts = RowCounts & { staged: number; bytesRead: number }

export type RowBatch = {
  columns: readonly (keyof StagedFeaturesTable)[]
  /** Values of all rows, one after the other: as databases take them, and cheap to send to another thread. */
  values: unknown[]
  reported: ReportedRow[]
  placeless: ReportedRow[]
  notices: string[]
  counts: BatchCounts
}

export type ReadingKey = { importId: string; now: number }

/** A reader takes turns with others: it reads the whole file, and builds its groups of `size` rows. */
export type Turns = { reader: number; readers: number; size: number }

/** Ids of features, as hashes of 64 bits, and their rows. */
export type BuiltPart = { ids: BigUint64Array; rows: Uint32Array; endsGroup: boolean }

/** The first rows of ids that later rows have, too. */
export type Repeated = ReadonlyMap<number, number>

/** Can be sent to another thread. */
export type Found = {
  counts: BatchCounts
  columns: FoundColumns
  own: Pick<OwnRows, 'columns' | 'lost'>
  shapes: SurveyedShapes
  ids: FoundIds
}

/** The same for a reader in this thread and one in another. */
export type Reader = {
  /** Undefined at the end of the file. */
  build(): Promise<BuiltPart | undefined>
  /** Finishes the oldest part that was built. */
  finish(repeated: Repeated): Promise<RowBatch>
  found(): Promise<Found>
  /** With all that others found. */
  survey(others: readonly Found[]): Promise<Survey>
}

/** The geometry of a staged row without a place, until it gets that of its feature. */
export const missingPlace = 'null'

/** Large geometries fill a part before its group ends. */
const bytesPerPart = 2 ** 21

type FileRecord = SourceRecord & { format: FileFormat }

type Row = {
  /** With the values that users corrected. */
  record: SourceRecord
  asInFile: SourceRecord
  isOwn: boolean
  built: BuiltRow
}

type Part = { rows: Row[]; notices: string[]; bytesRead: number }

export async function openReader(
  input: ImportInput,
  options: ReadingOptions,
  key: ReadingKey,
  turns: Turns,
): Promise<Reader> {
  const fields = fieldsOfKind(options.kind, options.customFields)
  const layout = await decideLayout(input, {
    overrides: options.layout,
    columns: options.columns ?? new Map(),
    fields,
    addressField: addressFieldOf(options.kind),
  })
  return new RowReader({ input, options, key, turns, fields, layout })
}

type Reading = {
  input: ImportInput
  options: ReadingOptions
  key: ReadingKey
  turns: Turns
  fields: Fields
  layout: DecidedLayout
}

class RowReader implements Reader {
  private readonly reading: Reading
  private readonly context: RowContext
  private readonly ownRows: OwnRows
  private readonly idColumns = new IdColumns()
  private readonly surveyor = new Surveyor()
  private readonly counts = { ...noCounts }
  private readonly built: Part[] = []
  private readonly parts: AsyncGenerator<BuiltPart>

  constructor(reading: Reading) {
    const { options, fields, layout } = reading
    this.reading = reading
    this.context = rowContext({ ...options, columns: layout.columns }, { fields, layout })
    this.ownRows = new OwnRows(this.context, options.kept)
    this.parts = this.buildParts()
  }

  async build() {
    const { value, done } = await this.parts.next()
    return done ? undefined : value
  }

  /** Yields all rows and notices before it throws. */
  private async *buildParts(): AsyncGenerator<BuiltPart> {
    const { input, turns, layout } = this.reading
    const { mapping } = this.context
    let part: Part = { rows: [], notices: [], bytesRead: 0 }
    let bytesRead = 0
    const complete = (endsGroup: boolean): BuiltPart => {
      const { rows } = part
      this.built.push({ ...part, bytesRead })
      part = { rows: [], notices: [], bytesRead }
      const { leftOut } = this.reading.options
      const claiming = rows.flatMap(({ built, record: { rowNumber } }) =>
        built.outcome === 'refused' || leftOut?.has(rowNumber) ? [] : [{ id: built.feature.id, rowNumber }],
      )
      return {
        ids: BigUint64Array.from(claiming, ({ id }) => idOfDigits(digitsOf(id))),
        rows: Uint32Array.from(claiming, ({ rowNumber }) => rowNumber),
        endsGroup,
      }
    }
    const onNotice = (notice: string) => part.notices.push(notice)
    const chunks = countBytes(input.chunks, (bytes) => {
      bytesRead += bytes
    })
    const isWanted = (rowNumber: number) =>
      Math.floor((rowNumber - 1) / turns.size) % turns.readers === turns.reader
    let failure: unknown
    try {
      for await (const record of readRecords({ ...input, chunks }, onNotice, { ...layout, isWanted })) {
        const { rowNumber, format, properties } = record
        if (rowNumber === 1) {
          if (format === 'csv') checkCoordinateColumns(arrange(record, layout), mapping)
          for (const [name] of properties) if (mapping.leavesOut(name)) onNotice(problemsLeftOut(name))
        }
        part.rows.push(this.buildRow(record))
        const endsGroup = rowNumber % turns.size === 0
        if (endsGroup || bytesRead - part.bytesRead >= bytesPerPart) yield complete(endsGroup)
      }
    } catch (error) {
      failure = error
    }
    yield complete(false)
    if (failure !== undefined) throw failure
  }

  private buildRow(asInFile: FileRecord): Row {
    const { options, layout } = this.reading
    const { rowNumber, format } = asInFile
    const { maxRows } = options
    if (maxRows !== undefined && rowNumber > maxRows)
      throw new ImportError(
        `The file has more than ${formatNumber(maxRows)} rows, the limit for one import. Split the file.`,
      )
    const record = replaceValues(asInFile, options.mended?.get(rowNumber))
    const own = this.ownRows.read(record, format)
    const built = own ? buildRow(own.record, own.context) : buildRow(arrange(record, layout), this.context)
    return { record, asInFile, isOwn: own !== undefined, built }
  }

  async finish(repeated: Repeated) {
    const { rows, notices, bytesRead } = this.built.shift() as Part
    const batch: RowBatch = {
      columns: [],
      values: [],
      reported: [],
      placeless: [],
      notices,
      counts: { ...noCounts, bytesRead },
    }
    for (const row of rows) this.finishRow(row, repeated, batch)
    for (const [name, count] of Object.entries(batch.counts)) this.counts[name as keyof BatchCounts] += count
    return batch
  }

  private finishRow(row: Row, repeated: Repeated, batch: RowBatch) {
    const { options } = this.reading
    const { mapping } = this.context
    const { record, asInFile, isOwn } = row
    const { counts } = batch
    const { rowNumber, line } = record
    counts.rows++
    const built = refuseSecond(row.built, repeated.get(rowNumber))
    const { sourceId } = built
    const reported = { rowNumber, line, sourceId, name: nameOfRow(row.built) }
    if (options.leftOut?.has(rowNumber)) {
      counts.leftOut++
      const featureId = built.outcome === 'built' ? built.feature.id : this.idOf(sourceId, isOwn)
      const reason = leftOutByHand
      batch.reported.push({ ...reported, featureId, outcome: 'left-out', reason, ...cellsOf(asInFile) })
      return
    }
    if (built.outcome === 'refused') {
      const { reason, misplaced, filled } = built
      if (misplaced) this.surveyor.noteMisplaced({ rowNumber, ...misplaced })
      // Of a refused row only values that were not understood count.
      if (filled)
        mapping.note(
          filled.filter(({ unknown }) => unknown !== undefined),
          rowNumber,
        )
      counts.refused++
      const featureId = this.idOf(sourceId, isOwn)
      batch.reported.push({ ...reported, featureId, outcome: 'refused', reason, ...cellsOf(record) })
      return
    }
    if (sourceId !== undefined) this.idColumns.othersHaveId = true
    else if (!isOwn) this.idColumns.note(record)
    if (built.repaired !== undefined) {
      counts.repaired++
      batch.reported.push({ ...reported, outcome: 'repaired', reason: built.repaired })
    }
    const { customFields } = options
    const staged = {
      ...toFeatureRow(built.feature, { ...this.reading.key, customFields }),
      row_number: rowNumber,
    }
    mapping.note(built.filled, rowNumber)
    if (built.keepsPlace) {
      staged.geometry = missingPlace
      const { id: featureId } = built.feature
      const reason = noPlaceToKeep(featureId)
      batch.placeless.push({ ...reported, featureId, outcome: 'refused', reason, ...cellsOf(record) })
    } else this.surveyor.notePlace({ rowNumber, lng: staged.lng, lat: staged.lat })
    if (built.namedArea) this.surveyor.noteArea(built.namedArea, built.feature.geometry)
    counts.staged++
    if (batch.columns.length === 0) batch.columns = Object.keys(staged) as RowBatch['columns']
    for (const column of batch.columns) batch.values.push(staged[column])
  }

  private idOf(sourceId: string | undefined, isOwn: boolean) {
    const { kind, source } = this.reading.options
    return sourceId === undefined || isOwn ? sourceId : featureIdOf(kind, source, sourceId)
  }

  async found() {
    const { columns, lost } = this.ownRows
    return {
      counts: this.counts,
      columns: this.context.mapping.found,
      own: { columns, lost },
      shapes: this.surveyor.finish(),
      ids: this.idColumns.found,
    }
  }

  async survey(others: readonly Found[]) {
    const { ownRows, idColumns } = this
    const { mapping } = this.context
    const { fields, layout } = this.reading
    for (const { columns, own, ids } of others) {
      mapping.absorb(columns)
      ownRows.absorb(own)
      idColumns.absorb(ids)
    }
    const sumOf = (name: keyof BatchCounts) =>
      others.reduce((sum, { counts }) => sum + counts[name], this.counts[name])
    const rows = sumOf('rows')
    checkNamedColumns(mapping, rows)
    const { filled, kept: unused } = mapping.result
    // If every row was refused, no values were counted, so the columns' names decide.
    const metadataColumns =
      sumOf('staged') > 0 ? unused : unused.filter((column) => !mapping.fillsField(column))
    const ownColumns = ownRows.columns.size > 0 ? [...ownRows.columns] : null
    return {
      rows,
      ...this.surveyor.finish(others.map(({ shapes }) => shapes)),
      filled,
      kept: ownColumns ? metadataColumns.filter((column) => !isOwnColumn(column)) : metadataColumns,
      unreadRows: mapping.unreadRows,
      ownColumns,
      lostByFormat: [...ownRows.lost],
      withoutId: idColumns.result,
      unclearDates: [...layout.unclearDates].flatMap(([column, { examples }]) =>
        filled.some((one) => one.column === column && fields[one.field]?.reader.isDate)
          ? [{ column, examples }]
          : [],
      ),
    }
  }
}

export const noCounts: BatchCounts = {
  rows: 0,
  refused: 0,
  repaired: 0,
  leftOut: 0,
  staged: 0,
  bytesRead: 0,
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
function cellsOf({
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

function refuseSecond(row: BuiltRow, first: number | undefined): BuiltRow {
  if (row.outcome === 'refused' || first === undefined) return row
  const { sourceId } = row
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
