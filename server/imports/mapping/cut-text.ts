// A cell of a Shapefile holds 254 bytes, and ends with the last whole character of them; space at its end is lost.

const mostBytes = 254
const bytesOfCharacter = 4

/** Whether a text may be the beginning of a longer one. */
export const isCutText = (text: string) => Buffer.byteLength(text) > mostBytes - bytesOfCharacter

/** Whether a cell is what a Shapefile keeps of a text. */
export function isCutFrom(cell: string, text: string): boolean {
  if (Buffer.byteLength(text) <= mostBytes) return false
  const kept = new TextDecoder().decode(Buffer.from(text).subarray(0, mostBytes), { stream: true })
  return kept.trim() === cell.trim()
}
