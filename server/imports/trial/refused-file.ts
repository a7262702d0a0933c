import type { DatabaseSync } from 'node:sqlite'
import { quoteCell } from '../../csv-cell.ts'
import { withTrial } from './read-trial.ts'

type RefusedRow = {
  row_number: number
  reason: string
  columns: string | null
  geometry: string | null
  id: string | null
}

const rowsPerPiece = 500

export type RefusedFile = { mediaType: string; ending: string; pieces: Iterable<string> }

/**
 * The refused rows of a trial as their file has them, each with what is wrong with it in `problemColumn`; undefined where there
 * is no trial. What was wrong before stands there no more.
 */
export function refusedFile(path: string, problemColumn: string): RefusedFile | undefined {
  const first = pageOf(path, 0)
  if (!first) return undefined
  const isTable = first.every(({ geometry }) => geometry === null)
  return isTable
    ? { mediaType: 'text/csv; charset=utf-8', ending: 'csv', pieces: table(path, problemColumn) }
    : { mediaType: 'application/geo+json', ending: 'geojson', pieces: collection(path, problemColumn) }
}

function* table(path: string, problemColumn: string): Generator<string> {
  const names = new Set<string>()
  for (const rows of pages(path)) for (const row of rows) for (const [name] of columnsOf(row)) names.add(name)
  names.delete(problemColumn)
  const columns = [...names, problemColumn]
  // Excel takes a table for UTF-8 by this mark.
  yield `\uFEFF${lineOf(columns)}`
  for (const rows of pages(path)) {
    const records = rows.map((row) => new Map([...columnsOf(row), [problemColumn, row.reason]]))
    yield records.map((record) => lineOf(columns.map((column) => record.get(column)))).join('')
  }
}

/** As the file has it, what looks like a formula too: it is to be imported again. */
const lineOf = (values: readonly unknown[]) =>
  `${values.map((value) => quoteCell(textOf(value))).join(',')}\r\n`

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

function* collection(path: string, problemColumn: string): Generator<string> {
  yield '{"type":"FeatureCollection","features":['
  let isFirst = true
  for (const rows of pages(path)) {
    const features = rows.map((row) => {
      const properties = { ...Object.fromEntries(columnsOf(row)), [problemColumn]: row.reason }
      const geometry = row.geometry ?? 'null'
      const id = row.id === null ? '' : `"id":${row.id},`
      return `{"type":"Feature",${id}"properties":${JSON.stringify(properties)},"geometry":${geometry}}`
    })
    yield `${isFirst ? '' : ','}\n${features.join(',\n')}`
    isFirst = false
  }
  yield '\n]}\n'
}

const columnsOf = ({ columns }: RefusedRow): [string, unknown][] =>
  columns === null ? [] : JSON.parse(columns)

function* pages(path: string): Generator<RefusedRow[]> {
  for (let after = 0; ; ) {
    const rows = pageOf(path, after) ?? []
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.row_number
  }
}

/** Each page opens the file anew: whoever reads slowly holds nothing open. */
function pageOf(path: string, after: number): RefusedRow[] | undefined {
  return withTrial(
    path,
    (connection: DatabaseSync) =>
      connection
        .prepare(
          `select row_number, reason, columns, geometry, id from rows
          where outcome = 'refused' and row_number > ? order by row_number limit ?`,
        )
        .all(after, rowsPerPiece) as RefusedRow[],
  )
}
