import { Parser } from 'csv-parse'

// Where the table of a CSV file begins: offices put titles above the header, and Excel a line that names the separator.

export type TableStart = {
  separator: string
  /** Row that names the columns, counted as in a spreadsheet: blank rows count. */
  headerRow: number
  /** The first rows, with those above the header. */
  rows: string[][]
}

const separators = [',', ';', '\t', '|']
const shownRows = 12
/** A header stands within the first rows. */
const searchedRows = 40

export const parserOptions = {
  info: true,
  encoding: 'latin1',
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
} as const

type Row = { row: number; cells: string[] }

/** `start` is the beginning of the file; `said` the header's row, where a person named it. */
export function findTable(
  start: Uint8Array,
  { said, decode }: { said: number | null; decode: (bytes: Uint8Array) => string },
): TableStart {
  const text = Buffer.from(start).toString('latin1')
  const named = /^\s*"?sep=(.)"?[^\S\r\n]*(?:[;,\t|]*)(?:\r|\n|$)/i.exec(text)?.[1]
  const candidates = (named === undefined ? separators : [named]).map((separator) => {
    const rows = firstRowsOf(start, separator)
    return { separator, rows, ...widthOf(rows) }
  })
  const best = candidates.reduce((one, other) => (other.cells > one.cells ? other : one))
  const table = named === undefined ? best.rows : best.rows.filter(({ row }) => row > 1)
  const rows = table.map(({ row, cells }) => ({
    row,
    cells: cells.map((cell) => decode(Buffer.from(cell, 'latin1')).trim()),
  }))
  const headerRow = said ?? findHeader(rows, best.width)
  return { separator: best.separator, headerRow, rows: spread(rows, headerRow) }
}

/** With blank rows, as a spreadsheet shows them. */
function spread(rows: readonly Row[], headerRow: number): string[][] {
  const shown: string[][] = []
  for (const { row, cells } of rows) {
    if (row > Math.max(shownRows, headerRow + 3) || shown.length > 3 * shownRows) break
    while (shown.length < row - 1) shown.push([])
    shown.push(cells)
  }
  return shown
}

/** A row that is cut where the start ends is none of them. */
function firstRowsOf(start: Uint8Array, delimiter: string): Row[] {
  const rows: Row[] = []
  const parser = new Parser({ ...parserOptions, delimiter })
  // A cell may be anything; what is wrong with the file is told when all of it is read.
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

/** The width that most rows have, and how many cells rows of that width have together. */
function widthOf(rows: readonly Row[]): { width: number; cells: number } {
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const widths = [...counts].map(([width, count]) => ({
    width,
    cells: width === 1 ? 0 : count * width,
    count,
  }))
  return widths.reduce((best, next) => (next.cells > best.cells ? next : best), { width: 1, cells: 0 })
}

const isNumber = (cell: string) => /^[-+]?[\d.,]+$/.test(cell)
const filledIn = (cells: readonly string[]) => cells.filter((cell) => cell !== '')

/** Names of places by which any file is recognized. */
const latitudes = /^(lat|latitude|y|northing|point_y|y_coord)$/i
const longitudes = /^(lon|lng|long|longitude|x|easting|point_x|x_coord)$/i

function findHeader(rows: readonly Row[], width: number): number {
  const first = rows[0]?.row ?? 1
  const isOfPlaces = ({ cells }: Row) =>
    cells.some((cell) => latitudes.test(cell)) && cells.some((cell) => longitudes.test(cell))
  const named = rows.find(isOfPlaces)
  if (named) return named.row
  const titles = rows.findIndex(({ cells }) => !isTitle(cells, width))
  const below = rows[titles]
  return below && titles > 0 && looksLikeHeader(below.cells, width) ? below.row : first
}

const isTitle = (cells: readonly string[], width: number) => filledIn(cells).length * 2 <= width

/** Nearly all cells are names, and no two are the same. */
function looksLikeHeader(cells: readonly string[], width: number): boolean {
  const names = filledIn(cells)
  return names.length >= 0.75 * width && !names.some(isNumber) && new Set(names).size === names.length
}
