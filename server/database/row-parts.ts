// Rows are read in parts of about so many bytes, however large their shapes are: others have their turn in between.

const bytesAtOnce = 500_000
const mostRows = 500

/** Rows of the first part, while nobody knows how large they are. */
export const rowsOfFirstPart = 10

/** Rows of the next part, after some that had so many bytes. */
export function rowsOfNextPart(rows: number, bytes: number): number {
  return Math.min(Math.max(Math.floor((rows * bytesAtOnce) / Math.max(bytes, 1)), 1), mostRows)
}
