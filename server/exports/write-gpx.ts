import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { escapeXml } from './escape-xml.ts'
import type { Exporter, ExportItem } from './export-columns.ts'

// GPX 1.1 is written by us: GDAL would need a database between to join points and lines, and this is a stream.

const head = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="POA Land Management" xmlns="http://www.topografix.com/GPX/1/1" xmlns:poa="urn:poa-land-management">
`

/** Points are waypoints, lines are tracks. Areas are left out: GPX has none. */
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
  const words = wordsOf(exporter, row)
  switch (type) {
    case 'Point':
      return waypoint(coordinates, words)
    case 'MultiPoint':
      return coordinates.map((position) => waypoint(position, words)).join('')
    case 'LineString':
      return track([coordinates], words)
    case 'MultiLineString':
      return track(coordinates, words)
    default:
      return ''
  }
}

/** What an item's description stands in, which has an element of its own. */
const described: ReadonlySet<string> = new Set(['description', 'note'])

/** In the order that the schema of GPX asks for. */
function wordsOf<Item extends ExportItem>({ columns, valuesOf }: Exporter<Item>, row: Item): string {
  const description = columns.some(({ name }) => described.has(name)) ? row.description : ''
  const others = valuesOf(row).flatMap((value, index) => {
    const name = columns[index]?.name
    if (name === undefined || described.has(name) || value === null) return []
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `<poa:${name}>${escapeXml(text)}</poa:${name}>`
  })
  return [
    `<name>${escapeXml(row.name)}</name>`,
    ...(description === '' ? [] : [`<desc>${escapeXml(description)}</desc>`]),
    `<extensions>${others.join('')}</extensions>`,
  ].join('')
}

const place = ([lng, lat]: Position) => `lat="${lat}" lon="${lng}"`

const waypoint = (position: Position, words: string) => `<wpt ${place(position)}>${words}</wpt>\n`

const track = (lines: readonly Position[][], words: string) =>
  `<trk>${words}${lines.map((line) => `<trkseg>${line.map((position) => `<trkpt ${place(position)}/>`).join('')}</trkseg>`).join('')}</trk>\n`
