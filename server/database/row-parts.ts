const bytesAtOnce = 500_000
const maxRows = 500

export const rowsOfFirstPart = 10

export function rowsOfNextPart(rows: number, bytes: number): number {
  return Math.min(Math.max(Math.floor((rows * bytesAtOnce) / Math.max(bytes, 1)), 1), maxRows)
}
