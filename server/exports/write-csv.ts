import { quoteFormula } from '#domain/exports/formula-quote.ts'
import { quoteCell } from '../csv-cell.ts'
import type { Exporter, ExportItem } from './export-columns.ts'
import { placeColumns, placeOf } from './place-columns.ts'

/** By it spreadsheets know that the text is UTF-8. */
const byteOrderMark = '\ufeff'

/** A table (RFC 4180), as a stream. */
export async function* writeCsv<Item extends ExportItem>(
  exporter: Exporter<Item>,
  parts: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  yield byteOrderMark + toLine([...exporter.columns.map(({ name }) => name), ...placeColumns])
  for await (const rows of parts)
    yield rows.map((row) => toLine([...exporter.valuesOf(row), ...placeOf(row)])).join('')
}

const toLine = (values: readonly unknown[]) => `${values.map(toCell).join(',')}\r\n`

/** Numbers are no text: a negative one is no formula. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return quoteCell(quoteFormula(typeof value === 'string' ? value : JSON.stringify(value)))
}
