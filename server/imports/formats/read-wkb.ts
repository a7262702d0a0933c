import { mostLevels, type NotedShape, unreadTypes } from './read-wkt.ts'

// Well-known binary (OGC Simple Features 8.2) in hexadecimal digits, as PostGIS writes it, with the numbers of reference systems
// and dimensions of EWKB and of ISO.

const types = new Map([
  [1, 'Point'],
  [2, 'LineString'],
  [3, 'Polygon'],
  [4, 'MultiPoint'],
  [5, 'MultiLineString'],
  [6, 'MultiPolygon'],
  [7, 'GeometryCollection'],
  [8, 'CircularString'],
  [9, 'CompoundCurve'],
  [10, 'CurvePolygon'],
  [11, 'MultiCurve'],
  [12, 'MultiSurface'],
  [15, 'PolyhedralSurface'],
  [16, 'TIN'],
  [17, 'Triangle'],
])

export const isWkb = (text: string) => /^(\\x|0x)?0[01][0-9a-f]{8,}$/i.test(text) && text.length % 2 === 0

/** A GeoJSON geometry, unchecked; undefined for anything else. An empty one has an empty list of coordinates. */
export function readWkb(text: string): NotedShape | undefined {
  if (!isWkb(text)) return undefined
  const bytes = Buffer.from(text.replace(/^(\\x|0x)/i, ''), 'hex')
  try {
    const reader = new WkbReader(bytes)
    const shape = reader.shape()
    return reader.isAtEnd || unreadTypes.includes(shape.type) ? shape : undefined
  } catch (error) {
    // Cut off, or a type that is none.
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

  shape(levels = mostLevels): NotedShape {
    if (levels === 0) throw new RangeError('It is nested too deeply.')
    this.isLittle = this.bytes.readUInt8(this.offset++) === 1
    const code = this.count()
    const srid = code & 0x20000000 ? this.count() : undefined
    const iso = (code & 0xffff) % 1000
    const hasMore = [code & 0x80000000 ? 1 : 0, code & 0x40000000 ? 1 : 0]
    const isoMore = [0, 1, 1, 2][Math.floor((code & 0xffff) / 1000)] ?? 0
    const type = types.get(iso)
    if (!type) throw new RangeError('A type that is none.')
    const size = 2 + Math.max(isoMore, (hasMore[0] ?? 0) + (hasMore[1] ?? 0))
    return { ...this.content(type, size, levels), ...(srid === undefined ? {} : { srid }) }
  }

  private content(type: string, size: number, levels: number): NotedShape {
    if (unreadTypes.includes(type)) return { type }
    if (type === 'GeometryCollection') return { type, geometries: this.list(() => this.shape(levels - 1), 5) }
    return { type, coordinates: this.coordinates(type, size, levels) }
  }

  private coordinates(type: string, size: number, levels: number): unknown {
    switch (type) {
      case 'Point':
        return this.position(size)
      case 'LineString':
        return this.list(() => this.position(size), 8 * size)
      case 'Polygon':
        return this.list(() => this.list(() => this.position(size), 8 * size), 4)
      default:
        return this.list(() => this.shape(levels - 1).coordinates, 5)
    }
  }

  private list<Item>(read: () => Item, leastBytes: number): Item[] {
    const count = this.count()
    if (count * leastBytes > this.bytes.length - this.offset) throw new RangeError('It is cut off.')
    return Array.from({ length: count }, read)
  }

  private position(size: number): number[] {
    const numbers = Array.from({ length: size }, () => this.number()).slice(0, 2)
    // Of an empty point they are no numbers.
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
