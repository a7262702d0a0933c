import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { escapeXml } from '#domain/values/xml.ts'
import type { Exporter, ExportItem } from './export-columns.ts'

// Streams GPX 1.1 without GDAL, which needs a database to combine points and lines.

const head = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="POA Land Management" xmlns="http://www.topografix.com/GPX/1/1" xmlns:poa="urn:poa-land-management">
`

export async function* writeGpx<Item extends ExportItem>(
  exporter: Exporter<Item>,
  parts: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  yield head
  for await (const rows of parts) yield rows.map((row) => toGpx(exporter, row)).join('')
  yield '</gpx>\n'
}

function toGpx<Item extends ExportItem>(exporter: Exporter<Item>, row: Item): string {
  if (row.shape === 'polygon') return ''
  const { type, coordinates } = JSON.parse(row.geometry) as Geometry
  const text = descriptionOf(exporter, row)
  switch (type) {
    case 'Point':
      return waypoint(coordinates, text)
    case 'MultiPoint':
      return coordinates.map((position) => waypoint(position, text)).join('')
    case 'LineString':
      return track([coordinates], text)
    case 'MultiLineString':
      return track(coordinates, text)
    default:
      return ''
  }
}

const descriptionColumns: ReadonlySet<string> = new Set(['description', 'note'])

/** In the order that the schema of GPX requires. */
function descriptionOf<Item extends ExportItem>({ columns, valuesOf }: Exporter<Item>, row: Item): string {
  const description = columns.some(({ name }) => descriptionColumns.has(name)) ? row.description : ''
  const others = valuesOf(row).flatMap((value, index) => {
    const name = columns[index]?.name
    if (name === undefined || descriptionColumns.has(name) || value === null) return []
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `<poa:${name}>${escapeXml(text)}</poa:${name}>`
  })
  return [
    `<name>${escapeXml(row.name)}</name>`,
    ...(description === '' ? [] : [`<desc>${escapeXml(description)}</desc>`]),
    `<extensions>${others.join('')}</extensions>`,
  ].join('')
}

const attributesOf = ([lng, lat]: Position) => `lat="${lat}" lon="${lng}"`

const waypoint = (position: Position, text: string) => `<wpt ${attributesOf(position)}>${text}</wpt>\n`

const track = (lines: readonly Position[][], text: string) =>
  `<trk>${text}${lines.map((line) => `<trkseg>${line.map((position) => `<trkpt ${attributesOf(position)}/>`).join('')}</trkseg>`).join('')}</trk>\n`
