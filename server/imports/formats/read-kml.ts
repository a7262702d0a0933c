import sax from 'sax'
import { ImportError } from '../import-error.ts'
import { createDecoder } from './decode-text.ts'
import { readHtmlTable } from './read-html-table.ts'
import type { OnNotice, SourceRecord } from './source-record.ts'

// KML (OGC 12-007r2): each Placemark is a row. Of what only draws or animates, nothing is read.

/** Longest text of one Placemark. */
const maxCharacters = 64 * 2 ** 20

/** Levels of shapes in shapes, as in JSON. */
const mostNested = 100

/** Of a folder. */
const mostOfName = 1_000

/** Texts of a Placemark that say something of it. */
const ownTexts = new Map([
  ['name', 'Name'],
  ['description', 'Description'],
  ['address', 'Address'],
  ['phoneNumber', 'Phone'],
  ['when', 'Time'],
  ['begin', 'Begin'],
  ['end', 'End'],
])

const shapes: ReadonlySet<string> = new Set([
  'Point',
  'LineString',
  'LinearRing',
  'Polygon',
  'Track',
  'MultiGeometry',
  'MultiTrack',
])

/** Text and the elements that have begun and not ended, without their prefixes. */
type Element = { name: string; attributes: Record<string, string>; text: string }

type Shape = { type: string; coordinates?: unknown; geometries?: Shape[] }

type Coordinate = number | string

/** A Placemark as far as it has been read. */
type Placemark = {
  line: number
  id: string | undefined
  properties: Map<string, string>
  /** Shapes that have begun and not ended, the innermost last; and those that have ended. */
  open: { name: string; parts: Shape[]; rings: Coordinate[][][]; positions: Coordinate[][] }[]
  shapes: Shape[]
  characters: number
}

export async function* readKml(
  chunks: AsyncIterable<Uint8Array>,
  onNotice: OnNotice,
): AsyncGenerator<SourceRecord> {
  const reader = new KmlReader(onNotice)
  const decode = createDecoder(onNotice)
  for await (const piece of inWholeCharacters(chunks)) yield* reader.read(decode(piece))
  yield* reader.finish()
}

/** The same bytes, cut where no character of UTF-8 is cut. */
async function* inWholeCharacters(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.length - begunAtEnd(bytes)
    rest = bytes.subarray(end)
    if (end > 0) yield bytes.subarray(0, end)
  }
  if (rest.length > 0) yield rest
}

/** How many bytes at the end are of a character that goes on. */
function begunAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    if (byte >= 0xc0) return length > back ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

class KmlReader {
  private readonly parser = sax.parser(true)
  private readonly stack: Element[] = []
  private readonly folders: string[] = []
  private placemark: Placemark | null = null
  private ready: SourceRecord[] = []
  private rowNumber = 0

  private readonly onNotice: OnNotice
  private isTableNoted = false

  constructor(onNotice: OnNotice) {
    this.onNotice = onNotice
    this.parser.onerror = ({ message }) => {
      const [first = ''] = message.split('\n')
      throw this.problem(first.replace(/\.$/, ''))
    }
    this.parser.onopentag = ({ name, attributes }) =>
      this.begin({ name: localName(name), attributes: attributes as Record<string, string>, text: '' })
    this.parser.ontext = (text) => this.take(text)
    this.parser.oncdata = (text) => this.take(text)
    this.parser.onclosetag = () => this.end()
  }

  read(text: string): SourceRecord[] {
    this.parser.write(text)
    const ready = this.ready
    this.ready = []
    return ready
  }

  finish(): SourceRecord[] {
    this.parser.close()
    return this.ready
  }

  private problem(what: string): ImportError {
    const { line, column } = this.parser
    return new ImportError(`The KML breaks at line ${line + 1}, column ${column}: ${what}.`)
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
    if (!shapes.has(name) || !this.placemark) return
    this.placemark.open.push({ name, parts: [], rings: [], positions: [] })
    if (this.placemark.open.length > mostNested)
      throw this.problem(`a shape is nested more than ${mostNested} levels deep`)
  }

  private take(text: string) {
    const element = this.stack.at(-1)
    if (!element) return
    // Outside of a Placemark only the names of folders count.
    if (this.placemark || (element.name === 'name' && element.text.length < mostOfName)) element.text += text
    if (!this.placemark) return
    this.placemark.characters += text.length
    if (this.placemark.characters > maxCharacters)
      throw this.problem(`a Placemark is longer than ${maxCharacters / 2 ** 20} MB`)
  }

  private end() {
    const element = this.stack.pop()
    if (!element) return
    const { name } = element
    const parent = this.stack.at(-1)
    if (name === 'Folder') this.folders.pop()
    if (name === 'name' && parent?.name === 'Folder') this.folders.splice(-1, 1, this.textOf(element))
    const { placemark } = this
    if (!placemark) return
    if (name === 'Placemark') this.finishPlacemark(placemark)
    else if (shapes.has(name)) finishShape(placemark)
    else if (name === 'coordinates' || name === 'coord') {
      const read = name === 'coord' ? [readTrackPosition(element.text)] : readTuples(element.text)
      for (const position of read) placemark.open.at(-1)?.positions.push(position)
    } else this.readProperty(placemark, element, parent)
  }

  private readProperty({ properties, open }: Placemark, element: Element, parent: Element | undefined) {
    const { name, attributes } = element
    const said = attributes.name
    if (name === 'SimpleData' && said) properties.set(said, this.textOf(element))
    else if (name === 'value' && parent?.name === 'Data' && parent.attributes.name !== undefined)
      properties.set(parent.attributes.name, this.textOf(element))
    // Those of a track are its times.
    else if (ownTexts.has(name) && open.length === 0 && isOfPlacemark(parent))
      properties.set(ownTexts.get(name) ?? name, this.textOf(element))
  }

  /** Columns of the table in a description; text outside of it stays, and a column that is there already. */
  private readTable(properties: Map<string, string>) {
    const table = readHtmlTable(properties.get('Description') ?? '')
    if (!table) return
    if (!this.isTableNoted) this.onNotice('Tables in descriptions are read as columns.')
    this.isTableNoted = true
    if (table.rest === '') properties.delete('Description')
    else properties.set('Description', table.rest)
    for (const [name, value] of table.pairs) {
      const current = properties.get(name)
      if (current === undefined) properties.set(name, value)
      else if (current !== value) properties.set(`${name} (description)`, value)
    }
  }

  private textOf = ({ text }: Element) => text.trim()

  private finishPlacemark({ line, id, properties, shapes: found }: Placemark) {
    this.placemark = null
    const folder = this.folders.filter((name) => name !== '').join(' / ')
    if (folder !== '' && !properties.has('Folder')) properties.set('Folder', folder)
    this.readTable(properties)
    const geometry = found.length > 1 ? join(found) : (found[0] ?? null)
    this.ready.push({
      rowNumber: ++this.rowNumber,
      line,
      properties: [...properties],
      geometry,
      ...(id ? { id } : {}),
    })
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** What stands in a Region or a Style is nothing of a Placemark. */
const isOfPlacemark = (parent: Element | undefined) =>
  parent !== undefined && ['Placemark', 'TimeStamp', 'TimeSpan'].includes(parent.name)

/** The innermost shape has ended: it is a part of the one around it, or one of the Placemark's own. */
function finishShape(placemark: Placemark) {
  const ended = placemark.open.pop()
  if (!ended) return
  const around = placemark.open.at(-1)
  const { name, positions, parts, rings } = ended
  if (name === 'LinearRing' && around?.name === 'Polygon') around.rings.push(positions)
  else (around?.parts ?? placemark.shapes).push(shapeOf(name, { positions, parts, rings }))
}

function shapeOf(
  name: string,
  { positions, parts, rings }: { positions: Coordinate[][]; parts: Shape[]; rings: Coordinate[][][] },
): Shape {
  switch (name) {
    case 'Point':
      return { type: 'Point', coordinates: positions[0] ?? [] }
    case 'Polygon':
      return { type: 'Polygon', coordinates: rings }
    case 'MultiGeometry':
    case 'MultiTrack':
      return join(parts)
    default:
      return { type: 'LineString', coordinates: positions }
  }
}

/** Shapes of one type are one shape of many parts; others are a collection. */
function join(parts: readonly Shape[]): Shape {
  const [first] = parts
  if (first && parts.length === 1) return first
  const type = first?.type.replace(/^Multi/, '')
  const isOneType =
    first && parts.every((part) => part.type.replace(/^Multi/, '') === type) && type !== 'GeometryCollection'
  if (!isOneType) return { type: 'GeometryCollection', geometries: [...parts] }
  const coordinates = parts.flatMap((part) =>
    part.type.startsWith('Multi') ? (part.coordinates as unknown[]) : [part.coordinates],
  )
  return { type: `Multi${type}`, coordinates }
}

/** 'longitude,latitude,altitude' with blanks between them; some programs put blanks behind the commas, too. */
const readTuples = (text: string): Coordinate[][] =>
  text
    .replace(/\s*,\s*/g, ',')
    .split(/\s+/)
    .filter((tuple) => tuple !== '')
    .map((tuple) => tuple.split(',').slice(0, 2).map(toCoordinate))

/** 'longitude latitude altitude'. */
const readTrackPosition = (text: string): Coordinate[] =>
  text.trim().split(/\s+/).slice(0, 2).map(toCoordinate)

/** What is none stays as it is, and refuses the row. */
function toCoordinate(text: string): Coordinate {
  const number = Number(text)
  return text === '' || Number.isNaN(number) ? text : number
}
