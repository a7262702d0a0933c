import type { Exporter, ExportItem } from './export-columns.ts'

export function toGeoJson<Item extends ExportItem>({ columns, valuesOf }: Exporter<Item>, row: Item): string {
  const properties = toJsonMembers(columns, valuesOf(row))
  return `{"type":"Feature","id":${JSON.stringify(row.id)},"geometry":${row.geometry},"properties":{${properties}}}`
}

export const toJsonMembers = (columns: readonly { name: string }[], values: readonly unknown[]): string =>
  columns.map(({ name }, index) => `${toJsonKey(name)}:${JSON.stringify(values[index] ?? null)}`).join()

/**
 * Escapes names that are members of JSON-FG. From version 3.8, GDAL treats lines with such members anywhere
 * in a feature as JSON-FG, and then reads only the first line. Escaped, they are the same keys, but GDAL does
 * not recognize them.
 */
function toJsonKey(name: string): string {
  const text = JSON.stringify(name)
  return membersOfJsonFg.has(name) ? text.replace(/^"(.)/, (_, first) => `"${escaped(first)}`) : text
}

const membersOfJsonFg: ReadonlySet<string> = new Set([
  'conformsTo',
  'featureType',
  'coordRefSys',
  'place',
  'time',
])

const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

export async function* writeGeoJson<Item extends ExportItem>(
  exporter: Exporter<Item>,
  parts: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":['
  let separator = '\n'
  for await (const rows of parts) {
    yield separator + rows.map((row) => toGeoJson(exporter, row)).join(',\n')
    separator = ',\n'
  }
  yield '\n]}\n'
}

export async function* writeGeoJsonLines<Item extends ExportItem>(
  exporter: Exporter<Item>,
  parts: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  for await (const rows of parts) yield rows.map((row) => `${toGeoJson(exporter, row)}\n`).join('')
}
