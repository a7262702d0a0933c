// Rows are read in parts of about this size, so that others get their turn in between.

const bytesAtOnce = 500_000
const mostRows = 500

/** While the size of rows is unknown. */
export const rowsOfFirstPart = 10

/** After `rows` with this many bytes. */
export function rowsOfNextPart(rows: number, bytes: number): number {
  return Math.min(Math.max(Math.floor((rows * bytesAtOnce) / Math.max(bytes, 1)), 1), mostRows)
}
