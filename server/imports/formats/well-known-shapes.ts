import { geometryTypes } from './read-json.ts'

// Well-known text and binary (OGC Simple Features 7.2 and 8.2) with the number of the reference system, as in EWKT and
// EWKB. Binary is written as hexadecimal digits, as PostGIS does, with the dimension flags of EWKB or of ISO.

export type WellKnownShape = {
  type: string
  coordinates?: unknown
  geometries?: WellKnownShape[]
  srid?: number
}

const unreadCodes = new Map([
  [8, 'CircularString'],
  [9, 'CompoundCurve'],
  [10, 'CurvePolygon'],
  [11, 'MultiCurve'],
  [12, 'MultiSurface'],
  [15, 'PolyhedralSurface'],
  [16, 'TIN'],
  [17, 'Triangle'],
])
export const unreadTypes = [...unreadCodes.values()]
const typesByCode = new Map([
  ...geometryTypes.map((type, index) => [index + 1, type] as const),
  ...unreadCodes,
])
const typesByName = new Map([...geometryTypes, ...unreadTypes].map((type) => [type.toUpperCase(), type]))

const maxLevels = 50

const names = [...typesByName.keys()].join('|')
const start = new RegExp(
  String.raw`^(?:SRID\s*=\s*(?<srid>\d{1,9})\s*;)?\s*(?<type>${names})\s*(?:(?:ZM|Z|M)\s*)?(?=\(|EMPTY\s*$)`,
  'i',
)

export const isWkt = (text: string): boolean => start.test(text)

/** Undefined for other text. Empty shapes have an empty list of coordinates. */
export const readWkt = (text: string): WellKnownShape | undefined => readLevel(text.trim(), maxLevels)

function readLevel(text: string, levels: number): WellKnownShape | undefined {
  const found = start.exec(text)
  const type = typesByName.get(found?.groups?.type?.toUpperCase() ?? '')
  if (!found || type === undefined || levels === 0) return undefined
  const shape = readBody(type, text.slice(found[0].length).trim(), levels)
  const { srid } = found.groups ?? {}
  return shape && (srid === undefined ? shape : { ...shape, srid: Number(srid) })
}

function readBody(type: string, body: string, levels: number): WellKnownShape | undefined {
  const isEmpty = /^EMPTY$/i.test(body)
  if (type !== 'GeometryCollection') {
    if (isEmpty) return { type, coordinates: [] }
    if (unreadTypes.includes(type)) return { type }
    const coordinates = readCoordinates(type, body)
    return coordinates && { type, coordinates }
  }
  const geometries = isEmpty ? [] : splitParts(body)?.map((part) => readLevel(part, levels - 1))
  return geometries?.every((part) => part !== undefined) ? { type, geometries } : undefined
}

function readCoordinates(type: string, body: string): unknown[] | undefined {
  const filled = body.replace(/\bEMPTY\b/gi, '()')
  if (!/^\([-+\d.e,()\s]+\)$/i.test(filled)) return undefined
  const asArray = (numbers: string) => `[${numbers.trim().split(/\s+/).map(Number).join()}]`
  const json = filled
    .replace(/[-+\d.e][-+\d.e\s]*/gi, asArray)
    .replaceAll('(', '[')
    .replaceAll(')', ']')
  try {
    const nested: unknown[] = JSON.parse(json)
    // A point has its own parentheses; the points of a MultiPoint may have them.
    if (type === 'Point') return nested.length === 1 && Array.isArray(nested[0]) ? nested[0] : undefined
    if (type !== 'MultiPoint') return nested
    return nested.map((point) => (Array.isArray(point) && Array.isArray(point[0]) ? point[0] : point))
  } catch {
    return undefined
  }
}

function splitParts(body: string): string[] | undefined {
  if (!body.startsWith('(') || !body.endsWith(')')) return undefined
  const parts: string[] = []
  let depth = 0
  let from = 1
  for (let index = 0; index < body.length; index++) {
    const character = body[index]
    if (character === '(') depth++
    else if (character === ')') depth--
    const isEnd = depth === 0
    if (isEnd && index < body.length - 1) return undefined
    if (!isEnd && !(character === ',' && depth === 1)) continue
    parts.push(body.slice(from, index).trim())
    from = index + 1
  }
  return depth === 0 ? parts : undefined
}

export const isWkb = (text: string) => /^(\\x|0x)?0[01][0-9a-f]{8,}$/i.test(text) && text.length % 2 === 0

export function readWkb(text: string): WellKnownShape | undefined {
  if (!isWkb(text)) return undefined
  const reader = new WkbReader(Buffer.from(text.replace(/^(\\x|0x)/i, ''), 'hex'))
  try {
    const shape = reader.shape()
    return reader.isAtEnd || unreadTypes.includes(shape.type) ? shape : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

class WkbReader {
  private readonly bytes: Buffer
  private offset = 0
  private isLittle = true

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.offset === this.bytes.length
  }

  shape(levels = maxLevels): WellKnownShape {
    if (levels === 0) throw new RangeError('It is nested too deeply.')
    this.isLittle = this.bytes.readUInt8(this.offset++) === 1
    const code = this.count()
    const srid = code & 0x20000000 ? this.count() : undefined
    const type = typesByCode.get((code & 0xffff) % 1000)
    if (!type) throw new RangeError('Its type is unknown.')
    const isoExtra = [0, 1, 1, 2][Math.floor((code & 0xffff) / 1000)] ?? 0
    const ewkbExtra = (code & 0x80000000 ? 1 : 0) + (code & 0x40000000 ? 1 : 0)
    const content = this.content(type, 2 + Math.max(isoExtra, ewkbExtra), levels)
    return { type, ...content, ...(srid === undefined ? {} : { srid }) }
  }

  private content(type: string, size: number, levels: number): Omit<WellKnownShape, 'type'> {
    const part = () => this.shape(levels - 1)
    const line = () => this.list(() => this.position(size), 8 * size)
    if (unreadTypes.includes(type)) return {}
    if (type === 'GeometryCollection') return { geometries: this.list(part, 5) }
    if (type === 'Point') return { coordinates: this.position(size) }
    if (type === 'LineString') return { coordinates: line() }
    if (type === 'Polygon') return { coordinates: this.list(line, 4) }
    return { coordinates: this.list(() => part().coordinates, 5) }
  }

  private list<Item>(read: () => Item, leastBytes: number): Item[] {
    const count = this.count()
    if (count * leastBytes > this.bytes.length - this.offset) throw new RangeError('It is cut off.')
    return Array.from({ length: count }, read)
  }

  private position(size: number): number[] {
    const numbers = Array.from({ length: size }, () => this.number()).slice(0, 2)
    // Coordinates of an empty point are NaN.
    return numbers.every(Number.isNaN) ? [] : numbers
  }

  private number(): number {
    this.offset += 8
    return this.isLittle ? this.bytes.readDoubleLE(this.offset - 8) : this.bytes.readDoubleBE(this.offset - 8)
  }

  private count(): number {
    this.offset += 4
    return this.isLittle ? this.bytes.readUInt32LE(this.offset - 4) : this.bytes.readUInt32BE(this.offset - 4)
  }
}
