// A spreadsheet takes text that begins with one of these for a formula, and computes it. An apostrophe before it says that it
// is text. Text that begins with apostrophes and then one of these gets one, too: so what was put before can be taken off.

/** Text that a spreadsheet takes as it is. */
export const quoteFormula = (text: string): string =>
  /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text

/** The text again that was quoted. */
export const unquoteFormula = (text: string): string =>
  /^'+[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text
