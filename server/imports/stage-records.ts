import type { Database } from '../database/database.ts'
import { toFeatureRow } from '../features/feature-row.ts'
import { type BuiltRow, buildRow, type RowContext } from './build-row.ts'
import { fieldsOfKind } from './fields.ts'
import { FirstRows } from './first-rows.ts'
import { ImportError } from './import-error.ts'
import type { ImportOptions, ImportProgress, StagedRecords } from './import-options.ts'
import { ColumnMapping } from './map-columns.ts'
import { type ImportInput, readRecords } from './read-records.ts'
import type { SourceRecord } from './source-record.ts'
import { StagingArea } from './staging-area.ts'

/** How often it is told how far the reading is. */
const rowsPerNews = 500

/** Reads a file to its end, and puts every row that can be a feature where nobody sees it yet. */
export async function stageRecords(
  database: Database,
  input: ImportInput,
  options: ImportOptions,
  { importId, now }: { importId: string; now: number },
  onProgress: (progress: ImportProgress) => void,
): Promise<StagedRecords> {
  const { onRow = () => {}, onNotice = () => {}, signal } = options
  const context = rowContext(options)
  const staging = new StagingArea(database)
  const firstRows = new FirstRows()
  const counts = { rows: 0, refused: 0, repaired: 0 }
  let bytesRead = 0
  let nextNews = rowsPerNews
  const counted = countBytes(input.chunks, (bytes) => {
    bytesRead += bytes
  })

  for await (const record of readRecords({ ...input, chunks: counted }, onNotice)) {
    if (counts.rows === 0 && record.format === 'csv') checkCoordinateColumns(record, context.mapping)
    counts.rows++
    const row = refuseSecond(buildRow(record, context), firstRows, record.rowNumber)
    const { rowNumber, line } = record
    if (row.outcome === 'refused') {
      counts.refused++
      onRow({ rowNumber, line, sourceId: row.sourceId, outcome: 'refused', reason: row.reason })
      continue
    }
    if (row.repaired !== undefined) {
      counts.repaired++
      onRow({ rowNumber, line, sourceId: row.sourceId, outcome: 'repaired', reason: row.repaired })
    }
    const isFull = staging.add({ ...toFeatureRow(row.feature, { now, importId }), row_number: rowNumber })
    if (isFull) await staging.flush()
    if (counts.rows < nextNews) continue
    nextNews = counts.rows + rowsPerNews
    signal?.throwIfAborted()
    onProgress({ phase: 'reading', rows: counts.rows, bytesRead, totalBytes: input.totalBytes })
  }
  checkNamedColumns(context.mapping, counts.rows)
  await staging.flush()
  onProgress({ phase: 'reading', rows: counts.rows, bytesRead, totalBytes: input.totalBytes })
  return { counts, staged: firstRows.size, lastRow: counts.rows, bytesRead }
}

function rowContext(options: ImportOptions): RowContext {
  const { kind, mapId, source, type, columns = new Map(), timeZone = 'UTC', areaUnit = 'acre' } = options
  const mapping = new ColumnMapping(fieldsOfKind[kind], columns)
  return { kind, mapId, source, type, timeZone, areaUnit, mapping }
}

/** Two records of one file cannot be one feature. */
function refuseSecond(row: BuiltRow, firstRows: FirstRows, rowNumber: number): BuiltRow {
  if (row.outcome === 'refused') return row
  const { feature, sourceId } = row
  const first = firstRows.claim(feature.id.slice(-16), rowNumber)
  if (first === undefined) return row
  const reason =
    sourceId === undefined
      ? `it says the same as row ${first}, and has no id to tell them apart`
      : `id "${sourceId}" is the id of row ${first} already`
  return { outcome: 'refused', reason, sourceId }
}

function checkCoordinateColumns(record: SourceRecord, mapping: ColumnMapping) {
  const columns = record.properties.map(([name]) => name)
  const missing = ['latitude', 'longitude'].filter((field) => !mapping.canFill(field, columns))
  if (missing.length === 0) return
  throw new ImportError(
    `The table has no column for ${missing.join(' and ')}; its columns are ${columns.join(', ')}. Name them with ${missing.map((field) => `--field ${field}=COLUMN`).join(' ')}.`,
  )
}

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
