// A JavaScript file that assigns JSON to a variable, as Leaflet's tutorials have it: `var lots = {...};`. Never evaluated.

const comments = String.raw`(?:\s|/\*[\s\S]{0,10000}?\*/|//[^\n]{0,10000}\n|['"]use strict['"];?)`
const target = String.raw`(?:export\s+default|(?:export\s+)?(?:var|let|const)\s+[\w$]+\s*=|[\w$]+(?:\.[\w$]+|\[['"][\w$]+['"]\])*\s*=)`
const assignment = new RegExp(`^${comments}*${target}\\s*(?=[[{])`)

/** How many characters stand before the JSON; 0 if the file is not such a script. */
export const lengthOfAssignment = (start: string): number => assignment.exec(start)?.[0].length ?? 0

const newline = 10
const space = 32

/** The same bytes with blanks in place of the first ones, so that lines and columns stay. */
export async function* blankFirst(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const chunk of chunks) {
    const blanked = Math.min(left, chunk.length)
    left -= blanked
    yield blanked === 0
      ? chunk
      : chunk.map((byte, index) => (index < blanked && byte !== newline ? space : byte))
  }
}
