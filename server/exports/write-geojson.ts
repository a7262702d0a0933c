import type { Exporter, ExportItem } from './export-columns.ts'
import { toJsonKey } from './json-key.ts'

/** One feature as GeoJSON (RFC 7946), its shape as it is stored: to the last digit. */
export function toGeoJson<Item extends ExportItem>({ columns, valuesOf }: Exporter<Item>, row: Item): string {
  const values = valuesOf(row)
  const members = columns.map(
    ({ name }, index) => `${toJsonKey(name)}:${JSON.stringify(values[index] ?? null)}`,
  )
  return `{"type":"Feature","id":${JSON.stringify(row.id)},"geometry":${row.geometry},"properties":{${members.join()}}}`
}

/** A feature collection, as a stream. */
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

/** One feature a line. */
export async function* writeGeoJsonLines<Item extends ExportItem>(
  exporter: Exporter<Item>,
  parts: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  for await (const rows of parts) yield rows.map((row) => `${toGeoJson(exporter, row)}\n`).join('')
}
