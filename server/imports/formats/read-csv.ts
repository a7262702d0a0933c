import { Readable } from 'node:stream'
import { type Info, parse } from 'csv-parse'
import { ImportError } from '../import-error.ts'
import { requireFewColumns } from './column-limit.ts'
import { createDecoder } from './decode-text.ts'
import { findTable, parserOptions, type TableStart } from './find-table.ts'
import type { OnNotice, SourceRecord } from './source-record.ts'

/** Longest row; a quote that is never closed would otherwise take in the rest of the file. */
const maxRowCharacters = 16 * 2 ** 20

export type TableOptions = {
  /** Row that names the columns, counted as in a spreadsheet; default the one that looks like it. */
  headerRow?: number | null
  /** Called once, before the first record. */
  onTable?: (table: TableStart) => void
}

export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  start: Uint8Array,
  onNotice: OnNotice,
  { headerRow: said = null, onTable }: TableOptions = {},
): AsyncGenerator<SourceRecord> {
  const decode = createDecoder(onNotice)
  const table = findTable(start, { said, decode })
  onTable?.(table)
  // Latin-1 keeps every byte as one character, so that each cell can be decoded on its own.
  const decodeCell = (cell: string) => (/[\x80-\xff]/.test(cell) ? decode(Buffer.from(cell, 'latin1')) : cell)
  const parser = parse({
    ...parserOptions,
    delimiter: table.separator,
    max_record_size: maxRowCharacters,
  })
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
      nextLine = line + 1 + lineBreaksIn(record)
      if (tableRow < table.headerRow) continue
      const cells = record.map(decodeCell)
      if (!columns) {
        // Before rows that each have as many cells.
        requireFewColumns(cells)
        columns = nameColumns(cells)
        continue
      }
      rowNumber++
      const problem =
        cells.length === columns.length
          ? undefined
          : `it has ${cells.length} cells, but the header has ${columns.length}`
      const properties = columns.map((name, index) => [name, cells[index] || null] as const)
      yield { rowNumber, line, properties, problem }
    }
  } catch (error) {
    throw explain(error)
  } finally {
    source.destroy()
  }
}

function lineBreaksIn(record: string[]): number {
  let count = 0
  for (const cell of record) if (/[\r\n]/.test(cell)) count += cell.split(/\r\n|\r|\n/).length - 1
  return count
}

/** Columns without a name are called by their number; a name that comes again is numbered. */
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
      `The table is broken: a quoted cell is still open where the file ends, on line ${lines}.`,
    )
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new ImportError(
      `The table is broken at line ${lines}: a row is longer than ${maxRowCharacters / 2 ** 20} MB, so a quote may not be closed.`,
    )
  return error
}
