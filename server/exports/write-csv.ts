import { quoteCell, quoteFormula } from '#domain/exports/csv-cell.ts'
import type { Exporter, ExportItem } from './export-columns.ts'

const byteOrderMark = '\ufeff'

export async function* writeCsv<Item extends ExportItem>(
  exporter: Exporter<Item>,
  parts: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  yield byteOrderMark + toLine(exporter.columns.map(({ name }) => name))
  for await (const rows of parts) yield rows.map((row) => toLine(exporter.valuesOf(row))).join('')
}

const toLine = (values: readonly unknown[]) => `${values.map(toCell).join(',')}\r\n`

/** Quotes only text: a negative number is not a formula. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return quoteCell(quoteFormula(typeof value === 'string' ? value : JSON.stringify(value)))
}
