/** GDAL's messages in plain words, most specific first. `$1` is a group of the pattern. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/million laugh/, 'its XML is a bomb of entities'],
  [/Maximum number of fields/, 'it has more than 2,000 columns; take away the empty ones at its right'],
  [/SHAPE_RESTORE_SHX|\.shx\b/i, 'its .shx is missing or damaged; add it from the same download'],
  [/\.dbf\b/i, 'its .dbf is missing or damaged; add it from the same download'],
  [/at line (\d+), column (\d+)/, 'it breaks at line $1, column $2'],
  [/\bat line (\d+)/, 'it breaks at line $1'],
  [
    /not authorized|prohibited|no such (table|column|function|module)|SQL logic/i,
    'this table is a view that cannot be computed',
  ],
  [/encrypted|password/i, 'it is protected by a password'],
  [/reproject|transform/i, 'coordinates in it lie outside the area of its projection'],
  [/memory|too (large|big|many|deep)|recursion/i, 'parts of it are too large'],
]

/**
 * Why GDAL cannot read a file, as half a sentence. GDAL's own text never reaches users: it names drivers, options and paths of
 * the server. The first error is the cause.
 */
export function explainGdal(messages: readonly string[]): string {
  for (const message of messages)
    for (const [pattern, meaning] of meanings) {
      const match = pattern.exec(message)
      if (match) return meaning.replaceAll(/\$(\d)/g, (_, group) => match[Number(group)] ?? '')
    }
  return 'it is damaged, incomplete or of a version that is not supported. Download it again, or save it in another format'
}
