import { Readable } from 'node:stream'
import { type Info, Parser, parse } from 'csv-parse'
import { ImportError } from '../import-error.ts'
import { createDecoder } from './decode-text.ts'
import { type OnNotice, requireFewColumns, type SourceRecord } from './source-record.ts'

/** A quote that is never closed would otherwise include the rest of the file. */
const maxRowCharacters = 16 * 2 ** 20

export type TableOptions = {
  headerRow?: number | null
  onTable?: (table: TableStart) => void
}

export type TableStart = {
  separator: string
  headerRow: number
  rows: string[][]
}

const parserOptions = {
  info: true,
  encoding: 'latin1',
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
} as const

export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  start: Uint8Array,
  onNotice: OnNotice,
  { headerRow = null, onTable }: TableOptions = {},
): AsyncGenerator<SourceRecord> {
  const decode = createDecoder(onNotice)
  const table = findTable(start, headerRow, decode)
  onTable?.(table)
  // Latin-1 keeps each byte as one character, so that each cell can be decoded alone.
  const decodeCell = (cell: string) => (/[\x80-\xff]/.test(cell) ? decode(Buffer.from(cell, 'latin1')) : cell)
  const parser = parse({ ...parserOptions, delimiter: table.separator, max_record_size: maxRowCharacters })
  const source = Readable.from(chunks, { objectMode: false })
  source.once('error', (error) => parser.destroy(error))
  source.pipe(parser)

  let columns: string[] | undefined
  let rowNumber = 0
  let nextLine = 1
  let emptyLines = 0
  let tableRow = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const line = nextLine + info.empty_lines - emptyLines
      tableRow += 1 + info.empty_lines - emptyLines
      emptyLines = info.empty_lines
      nextLine = line + 1 + countLineBreaks(record)
      if (tableRow < table.headerRow) continue
      const cells = record.map(decodeCell)
      if (!columns) {
        requireFewColumns(cells)
        columns = nameColumns(cells)
        continue
      }
      const problem =
        cells.length === columns.length
          ? undefined
          : `it has ${cells.length} cells, but the header has ${columns.length}`
      const properties = columns.map((name, index) => [name, cells[index] || null] as const)
      yield { rowNumber: ++rowNumber, line, properties, problem }
    }
  } catch (error) {
    throw explain(error)
  } finally {
    source.destroy()
  }
}

function countLineBreaks(record: string[]): number {
  let count = 0
  for (const cell of record) if (/[\r\n]/.test(cell)) count += cell.split(/\r\n|\r|\n/).length - 1
  return count
}

function nameColumns(header: string[]): string[] {
  const seen = new Map<string, number>()
  return header.map((cell, index) => {
    const name = cell.trim() || `column ${index + 1}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

function explain(error: unknown): unknown {
  const { code, lines } = (error ?? {}) as { code?: string; lines?: number }
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new ImportError(
      `The table is invalid: a quoted cell is not closed at the end of the file, on line ${lines}.`,
    )
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new ImportError(
      `The table is invalid at line ${lines}: a row is longer than ${maxRowCharacters / 2 ** 20} MB. A quote may not be closed.`,
    )
  return error
}

const separators = [',', ';', '\t', '|']
const shownRows = 12
const searchedRows = 40

type Row = { row: number; cells: string[] }

/** Files may have titles above the header, and a line of Excel that names the separator. */
function findTable(
  start: Uint8Array,
  givenHeaderRow: number | null,
  decode: (bytes: Uint8Array) => string,
): TableStart {
  const text = Buffer.from(start).toString('latin1')
  const named = /^\s*"?sep=(.)"?[^\S\r\n]*(?:[;,\t|]*)(?:\r|\n|$)/i.exec(text)?.[1]
  const candidates = (named === undefined ? separators : [named]).map((separator) => {
    const rows = readFirstRows(start, separator)
    return { separator, rows, ...commonWidth(rows) }
  })
  const { separator, width, rows } = candidates.reduce((one, other) =>
    other.cells > one.cells ? other : one,
  )
  const decoded = (named === undefined ? rows : rows.filter(({ row }) => row > 1)).map(({ row, cells }) => ({
    row,
    cells: cells.map((cell) => decode(Buffer.from(cell, 'latin1')).trim()),
  }))
  const headerRow = givenHeaderRow ?? findHeader(decoded, width)
  return { separator, headerRow, rows: withBlankRows(decoded, headerRow) }
}

function withBlankRows(rows: readonly Row[], headerRow: number): string[][] {
  const shown: string[][] = []
  for (const { row, cells } of rows) {
    if (row > Math.max(shownRows, headerRow + 3) || shown.length > 3 * shownRows) break
    while (shown.length < row - 1) shown.push([])
    shown.push(cells)
  }
  return shown
}

/** Leaves out a row that is cut off where `start` ends. */
function readFirstRows(start: Uint8Array, delimiter: string): Row[] {
  const rows: Row[] = []
  const parser = new Parser({ ...parserOptions, delimiter })
  // Errors are reported when the whole file is read.
  parser.on('error', () => {})
  parser.write(Buffer.from(start))
  parser.write(Buffer.from('\n'))
  for (;;) {
    const next = parser.read() as { record: string[]; info: { empty_lines: number } } | null
    if (next === null || rows.length >= searchedRows) break
    rows.push({ row: rows.length + 1 + next.info.empty_lines, cells: next.record })
  }
  parser.destroy()
  return rows
}

function commonWidth(rows: readonly Row[]): { width: number; cells: number } {
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  return [...counts]
    .map(([width, count]) => ({ width, cells: width === 1 ? 0 : count * width }))
    .reduce((best, next) => (next.cells > best.cells ? next : best), { width: 1, cells: 0 })
}

const latitudes = /^(lat|latitude|y|northing|point_y|y_coord)$/i
const longitudes = /^(lon|lng|long|longitude|x|easting|point_x|x_coord)$/i

/** A row that names coordinates, else the first row below titles if its cells look like names, else the first row. */
function findHeader(rows: readonly Row[], width: number): number {
  const namesCoordinates = ({ cells }: Row) =>
    cells.some((cell) => latitudes.test(cell)) && cells.some((cell) => longitudes.test(cell))
  const named = rows.find(namesCoordinates)
  if (named) return named.row
  const filledIn = (row: Row | undefined) => row?.cells.filter((cell) => cell !== '') ?? []
  const titles = rows.findIndex((row) => filledIn(row).length * 2 > width)
  const names = filledIn(rows[titles])
  const hasNumber = names.some((cell) => /^[-+]?[\d.,]+$/.test(cell))
  const areNames = names.length >= 0.75 * width && !hasNumber && new Set(names).size === names.length
  return (titles > 0 && areNames ? rows[titles] : rows[0])?.row ?? 1
}
