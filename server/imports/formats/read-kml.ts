import sax from 'sax'
import { ImportError } from '../import-error.ts'
import { createDecoder } from './decode-text.ts'
import type { OnNotice, SourceRecord } from './source-record.ts'

// KML (OGC 12-007r2): each Placemark is a row. Styles, regions and animations are not read.

const maxCharacters = 64 * 2 ** 20
const maxDepth = 100
const maxFolderNameCharacters = 1_000

const columns = new Map([
  ['name', 'Name'],
  ['description', 'Description'],
  ['address', 'Address'],
  ['phoneNumber', 'Phone'],
  ['when', 'Time'],
  ['begin', 'Begin'],
  ['end', 'End'],
])

const shapeNames = new Set('Point LineString LinearRing Polygon Track MultiGeometry MultiTrack'.split(' '))

type Element = { name: string; attributes: Record<string, string>; text: string }

type Shape = { type: string; coordinates?: unknown; geometries?: Shape[] }
type Position = (number | string)[]

type OpenShape = { name: string; parts: Shape[]; rings: Position[][]; positions: Position[] }

type Placemark = {
  line: number
  id: string | undefined
  properties: Map<string, string>
  open: OpenShape[]
  shapes: Shape[]
  characters: number
}

export async function* readKml(
  chunks: AsyncIterable<Uint8Array>,
  onNotice: OnNotice,
): AsyncGenerator<SourceRecord> {
  const reader = new KmlReader(onNotice)
  const decode = createDecoder(onNotice)
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    // A character of UTF-8 that begins in the last three bytes may be cut: it waits for the next chunk.
    const end = bytes.length - ([1, 2, 3].find((back) => (bytes.at(-back) ?? 0) >= 0xc0) ?? 0)
    rest = bytes.subarray(end)
    yield* reader.read(decode(bytes.subarray(0, end)))
  }
  yield* reader.read(decode(rest))
  yield* reader.finish()
}

class KmlReader {
  private readonly parser = sax.parser(true)
  private readonly stack: Element[] = []
  private readonly folders: string[] = []
  private placemark: Placemark | null = null
  private readonly ready: SourceRecord[] = []
  private rowNumber = 0
  private readonly onNotice: OnNotice
  private hasTable = false

  constructor(onNotice: OnNotice) {
    this.onNotice = onNotice
    this.parser.onerror = ({ message }) => {
      const [first = ''] = message.split('\n')
      throw this.problem(first.replace(/\.$/, ''))
    }
    this.parser.onopentag = ({ name, attributes }) =>
      this.begin({
        name: name.slice(name.indexOf(':') + 1),
        attributes: attributes as Record<string, string>,
        text: '',
      })
    this.parser.ontext = (text) => this.addText(text)
    this.parser.oncdata = (text) => this.addText(text)
    this.parser.onclosetag = () => this.end()
  }

  read(text: string): SourceRecord[] {
    this.parser.write(text)
    return this.ready.splice(0)
  }

  finish(): SourceRecord[] {
    this.parser.close()
    return this.ready
  }

  private problem(what: string): ImportError {
    const { line, column } = this.parser
    return new ImportError(`The KML is invalid at line ${line + 1}, column ${column}: ${what}.`)
  }

  private begin(element: Element) {
    this.stack.push(element)
    const { name, attributes } = element
    if (name === 'Folder') this.folders.push('')
    if (name === 'Placemark') {
      const line = this.parser.line + 1
      const { id } = attributes
      this.placemark = { line, id, properties: new Map(), open: [], shapes: [], characters: 0 }
    }
    if (!shapeNames.has(name) || !this.placemark) return
    this.placemark.open.push({ name, parts: [], rings: [], positions: [] })
    if (this.placemark.open.length > maxDepth)
      throw this.problem(`a shape is nested more than ${maxDepth} levels deep`)
  }

  private addText(text: string) {
    const element = this.stack.at(-1)
    if (!element) return
    const isFolderName = element.name === 'name' && element.text.length < maxFolderNameCharacters
    if (this.placemark || isFolderName) element.text += text
    if (!this.placemark) return
    this.placemark.characters += text.length
    if (this.placemark.characters > maxCharacters)
      throw this.problem(`a Placemark is longer than ${maxCharacters / 2 ** 20} MB`)
  }

  private end() {
    const element = this.stack.pop()
    if (!element) return
    const { name, text } = element
    const parent = this.stack.at(-1)
    if (name === 'Folder') this.folders.pop()
    if (name === 'name' && parent?.name === 'Folder') this.folders.splice(-1, 1, text.trim())
    const { placemark } = this
    if (!placemark) return
    if (name === 'Placemark') this.finishPlacemark(placemark)
    else if (shapeNames.has(name)) finishShape(placemark)
    else if (name === 'coordinates' || name === 'coord')
      for (const position of readPositions(name, text)) placemark.open.at(-1)?.positions.push(position)
    else {
      const column = columnOf(element, parent, placemark)
      if (column !== undefined) placemark.properties.set(column, text.trim())
    }
  }

  /** Reads a table in the description as columns; columns of the Placemark with the same names stay. */
  private readTable(properties: Map<string, string>) {
    const table = readHtmlTable(properties.get('Description') ?? '')
    if (!table) return
    if (!this.hasTable) this.onNotice('Tables in descriptions were read as columns.')
    this.hasTable = true
    if (table.rest === '') properties.delete('Description')
    else properties.set('Description', table.rest)
    for (const [name, value] of table.pairs) {
      const current = properties.get(name)
      if (current === undefined) properties.set(name, value)
      else if (current !== value) properties.set(`${name} (description)`, value)
    }
  }

  private finishPlacemark({ line, id, properties, shapes }: Placemark) {
    this.placemark = null
    const folder = this.folders.filter((name) => name !== '').join(' / ')
    if (folder !== '' && !properties.has('Folder')) properties.set('Folder', folder)
    this.readTable(properties)
    const geometry = shapes.length > 1 ? join(shapes) : (shapes[0] ?? null)
    const record = { rowNumber: ++this.rowNumber, line, properties: [...properties], geometry }
    this.ready.push(id ? { ...record, id } : record)
  }
}

function columnOf({ name, attributes }: Element, parent: Element | undefined, { open }: Placemark) {
  if (name === 'SimpleData' && attributes.name) return attributes.name
  if (name === 'value' && parent?.name === 'Data') return parent.attributes.name
  // Times in a track, and names in a Region or a Style, do not describe the Placemark.
  const isOwn = open.length === 0 && ['Placemark', 'TimeStamp', 'TimeSpan'].includes(parent?.name ?? '')
  return isOwn ? columns.get(name) : undefined
}

function finishShape(placemark: Placemark) {
  const ended = placemark.open.pop()
  if (!ended) return
  const outer = placemark.open.at(-1)
  if (ended.name === 'LinearRing' && outer?.name === 'Polygon') outer.rings.push(ended.positions)
  else (outer?.parts ?? placemark.shapes).push(toShape(ended))
}

function toShape({ name, positions, parts, rings }: OpenShape): Shape {
  if (name === 'Point') return { type: 'Point', coordinates: positions[0] ?? [] }
  if (name === 'Polygon') return { type: 'Polygon', coordinates: rings }
  return name.startsWith('Multi') ? join(parts) : { type: 'LineString', coordinates: positions }
}

function join(parts: readonly Shape[]): Shape {
  const [first] = parts
  if (first && parts.length === 1) return first
  const types = new Set(parts.map(({ type }) => type.replace(/^Multi/, '')))
  const [type] = types
  if (types.size !== 1 || type === 'GeometryCollection')
    return { type: 'GeometryCollection', geometries: [...parts] }
  const coordinates = parts.flatMap((part) =>
    part.type.startsWith('Multi') ? (part.coordinates as unknown[]) : [part.coordinates],
  )
  return { type: `Multi${type}`, coordinates }
}

/**
 * Longitude and latitude of 'longitude,latitude,altitude' with spaces between them (some programs write spaces after
 * commas, too), or of one 'longitude latitude altitude' in a track.
 */
function readPositions(name: 'coordinates' | 'coord', text: string): Position[] {
  const tuples = name === 'coord' ? [text.trim()] : text.replace(/\s*,\s*/g, ',').match(/\S+/g)
  return (tuples ?? []).map((tuple) =>
    tuple
      .split(name === 'coord' ? /\s+/ : ',')
      .slice(0, 2)
      // Text that is not a number stays text, and rejects the row later.
      .map((text) => (text === '' || Number.isNaN(Number(text)) ? text : Number(text))),
  )
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }))

const plainText = (html: string) =>
  html
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
    .replace(/\s+/g, ' ')
    .trim()

/**
 * Rows with two cells, and the text outside of them: Google Earth and ArcGIS write attributes like this. Undefined for
 * text without such rows.
 */
function readHtmlTable(html: string): { pairs: [name: string, value: string][]; rest: string } | undefined {
  if (!/<tr[\s>]/i.test(html)) return undefined
  const pairs: [string, string][] = []
  const rest: string[] = []
  let cells: string[] = []
  let isInCell = false
  const endRow = () => {
    const [name = '', value = ''] = cells.map(plainText)
    if (cells.length === 2 && name !== '') pairs.push([name, value])
    else rest.push(...cells)
    cells = []
    isInCell = false
  }
  for (const { tag, text } of tokensOf(html)) {
    if (tag === undefined) {
      if (isInCell) cells.push((cells.pop() ?? '') + text)
      else rest.push(text)
    } else if (tag === 'tr' || tag === '/tr' || tag === '/table') endRow()
    else if (tag === 'td' || tag === 'th') {
      cells.push('')
      isInCell = true
    } else if (tag === '/td' || tag === '/th') isInCell = false
    else if ((tag === 'br' || tag === '/p') && isInCell) cells.push(`${cells.pop() ?? ''} `)
  }
  endRow()
  return pairs.length > 0 ? { pairs, rest: plainText(rest.join(' ')) } : undefined
}

/** In one pass. Skips comments, styles, scripts and titles. */
function* tokensOf(html: string): Generator<{ tag?: string; text: string }> {
  let hidden: string | undefined
  for (let at = 0; at < html.length; ) {
    const begin = html.indexOf('<', at)
    const end = begin < 0 ? -1 : html.indexOf(html.startsWith('<!--', begin) ? '-->' : '>', begin)
    if (end < 0) {
      yield { text: html.slice(at) }
      return
    }
    if (begin > at && hidden === undefined) yield { text: html.slice(at, begin) }
    const tag = /^<(\/?[a-z]{1,10})\b/i.exec(html.slice(begin, begin + 12))?.[1]?.toLowerCase()
    if (hidden === undefined && /^(style|script|title)$/.test(tag ?? '')) hidden = tag
    else if (tag === `/${hidden}`) hidden = undefined
    if (tag !== undefined && hidden === undefined) yield { tag, text: '' }
    at = end + 1
  }
}
