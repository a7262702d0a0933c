/** A spreadsheet takes a cell that begins like this for a formula, and runs it; numbers may begin with their sign. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
const number = /^[-+]?\d+(\.\d+)?$/

/** A value as a cell of a comma-separated table: RFC 4180, and no formula. */
export function csvCell(value: string | number | boolean): string {
  const said = String(value)
  const text = formula.test(said) && !number.test(said) ? `'${said}` : said
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
