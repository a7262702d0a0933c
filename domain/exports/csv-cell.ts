// Spreadsheets compute text that begins with one of these signs as a formula. An apostrophe before it marks it as text. Text
// that begins with apostrophes and then such a sign gets another apostrophe, so that quoting can be reversed.

export const quoteFormula = (text: string): string =>
  /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text

export const unquoteFormula = (text: string): string =>
  /^'+[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text

/** Quotes a cell of a comma-separated table (RFC 4180). */
export const quoteCell = (text: string) =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** Returns a value of a user's file as a cell: formulas are quoted, numbers are not. */
export function csvCell(value: string | number | boolean): string {
  const text = String(value)
  return quoteCell(/^[-+]?\d+(\.\d+)?$/.test(text) ? text : quoteFormula(text))
}
