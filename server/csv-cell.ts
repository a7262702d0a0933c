import { quoteFormula } from '#domain/exports/formula-quote.ts'

const number = /^[-+]?\d+(\.\d+)?$/

/** A text as a cell of a comma-separated table: RFC 4180. */
export const quoteCell = (text: string) =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** What stands in a file of others as such a cell: no formula, but numbers as they are written. */
export function csvCell(value: string | number | boolean): string {
  const said = String(value)
  return quoteCell(number.test(said) ? said : quoteFormula(said))
}
