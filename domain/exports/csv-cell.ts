// Spreadsheets run text that begins with one of these characters as a formula. A leading apostrophe marks it as
// text. Text that starts with apostrophes and then such a character gets one more, so that quoting is reversible.

export const quoteFormula = (text: string): string =>
  /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text

export const unquoteFormula = (text: string): string =>
  /^'+[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text

/** Quotes a cell of a comma-separated table (RFC 4180). */
export const quoteCell = (text: string) =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

export function csvCell(value: string | number | boolean): string {
  const text = String(value)
  return quoteCell(/^[-+]?\d+(\.\d+)?$/.test(text) ? text : quoteFormula(text))
}
