import type { DatabaseSync } from 'node:sqlite'
import { quoteCell } from '#domain/exports/csv-cell.ts'
import { Pauses } from '../../database/pauses.ts'
import { rowsOfFirstPart, rowsOfNextPart } from '../../database/row-parts.ts'
import { withTrial } from './read-trial.ts'

type RefusedRow = {
  row_number: number
  reason: string
  columns: string | null
  geometry: string | null
  id: string | null
}

export type RefusedFile = { mediaType: string; ending: string; pieces: AsyncIterable<string> }

/** The refused rows as in their file, with the reason in `problemColumn`. Undefined if there is no preview. */
export function refusedFile(path: string, problemColumn: string): RefusedFile | undefined {
  const first = pageOf(path, 0, rowsOfFirstPart)
  if (!first) return undefined
  const isTable = first.every(({ geometry }) => geometry === null)
  return isTable
    ? { mediaType: 'text/csv; charset=utf-8', ending: 'csv', pieces: table(path, problemColumn) }
    : { mediaType: 'application/geo+json', ending: 'geojson', pieces: collection(path, problemColumn) }
}

async function* table(path: string, problemColumn: string): AsyncGenerator<string> {
  const names = new Set<string>()
  for await (const rows of pages(path))
    for (const row of rows) for (const [name] of columnsOf(row)) names.add(name)
  names.delete(problemColumn)
  const columns = [...names, problemColumn]
  // Excel recognizes UTF-8 by this mark.
  yield `\uFEFF${lineOf(columns)}`
  for await (const rows of pages(path)) {
    const records = rows.map((row) => new Map([...columnsOf(row), [problemColumn, row.reason]]))
    yield records.map((record) => lineOf(columns.map((column) => record.get(column)))).join('')
  }
}

/** Formulas are not escaped: the file is imported again. */
const lineOf = (values: readonly unknown[]) =>
  `${values.map((value) => quoteCell(textOf(value))).join(',')}\r\n`

const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

async function* collection(path: string, problemColumn: string): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":['
  let isFirst = true
  for await (const rows of pages(path)) {
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

async function* pages(path: string): AsyncGenerator<RefusedRow[]> {
  const pauses = new Pauses()
  let size = rowsOfFirstPart
  for (let after = 0; ; ) {
    const rows = pageOf(path, after, size) ?? []
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.row_number
    const bytes = rows.reduce((sum, row) => sum + (row.columns?.length ?? 0) + (row.geometry?.length ?? 0), 0)
    size = rowsOfNextPart(rows.length, bytes)
    await pauses.pause()
  }
}

/** Opens the file for each page, so that slow readers keep nothing open. */
function pageOf(path: string, after: number, size: number): RefusedRow[] | undefined {
  return withTrial(
    path,
    (connection: DatabaseSync) =>
      connection
        .prepare(
          `select row_number, reason, columns, geometry, id from rows
          where outcome = 'refused' and row_number > ? order by row_number limit ?`,
        )
        .all(after, size) as RefusedRow[],
  )
}
