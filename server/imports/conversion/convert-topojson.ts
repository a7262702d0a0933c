import { maxVertices, type Position } from '#domain/geometry/geometry.schema.ts'
import type { JsonObject } from '../formats/read-json.ts'
import { listOf, objectOf, readMembers, writeText } from './json-files.ts'

// Converts TopoJSON (specification 1.1) to GeoJSON, a file for each of its objects. GDAL drops rows without geometry
// and loses digits of long numbers. Shapes stay unchecked: their problems are reported with their rows.

export type TopologyObject = { name: string; rows: number; path: string }

/** Shapes share arcs, so the result may be much larger: `maxBytes` limits all files together. */
export async function convertTopoJson(
  path: string,
  target: string,
  maxBytes: number,
): Promise<TopologyObject[]> {
  const { members } = await readMembers(path)
  const arcs = new Arcs(members)
  const objects: TopologyObject[] = []
  let freeBytes = maxBytes
  for (const [name, object] of Object.entries(objectOf(members.get('objects')))) {
    const rows = rowsOf(objectOf(object))
    const written = `${target}-${objects.length}.geojsonl`
    freeBytes -= await writeText(written, linesOf(rows, arcs), freeBytes)
    objects.push({ name, rows: rows.length, path: written })
  }
  return objects
}

function* linesOf(rows: readonly JsonObject[], arcs: Arcs) {
  for (const row of rows) {
    const properties = objectOf(row.properties)
    yield `${JSON.stringify({ type: 'Feature', id: row.id, properties, geometry: arcs.toShape(row) })}\n`
  }
}

/** Each part of a collection is a row with its own properties; an object without parts is one row. */
const rowsOf = (object: JsonObject): JsonObject[] =>
  object.type === 'GeometryCollection' ? listOf(object.geometries).map(objectOf) : [object]

/** Lines that shapes share. A negative index names a reversed arc: -1 is the first, ~index in general. */
class Arcs {
  private readonly arcs: readonly unknown[]
  private readonly decoded = new Map<number, Position[]>()
  private readonly scale: Position | null
  private readonly translate: Position
  /** A shape with more positions than a feature may have is cut, and rejected later. */
  private positions = 0

  constructor(members: ReadonlyMap<string, unknown>) {
    const transform = members.get('transform')
    const { scale, translate } = objectOf(transform)
    this.arcs = listOf(members.get('arcs'))
    this.scale = transform === undefined ? null : toPair(scale, 1)
    this.translate = toPair(translate, 0)
  }

  toShape(object: JsonObject): object | null {
    this.positions = 0
    return this.toPart(object)
  }

  private toPart({ type, arcs, coordinates, geometries }: JsonObject): object | null {
    const line = (indexes: unknown) => this.toLine(indexes)
    const lines = (parts: unknown) => listOf(parts).map(line)
    switch (type) {
      case null:
      case undefined:
        return null
      case 'Point':
        return { type, coordinates: this.toPosition(coordinates) }
      case 'MultiPoint':
        return { type, coordinates: listOf(coordinates).map((one) => this.toPosition(one)) }
      case 'LineString':
        return { type, coordinates: line(arcs) }
      case 'MultiLineString':
      case 'Polygon':
        return { type, coordinates: lines(arcs) }
      case 'MultiPolygon':
        return { type, coordinates: listOf(arcs).map(lines) }
      case 'GeometryCollection':
        return { type, geometries: listOf(geometries).map((one) => this.toPart(objectOf(one))) }
      default:
        return { type }
    }
  }

  private toPosition(value: unknown): unknown {
    return this.scale ? this.dequantize(toPair(value, Number.NaN), this.scale) : value
  }

  private dequantize([x, y]: Position, scale: Position): Position {
    return [x * scale[0] + this.translate[0], y * scale[1] + this.translate[1]]
  }

  private toLine(indexes: unknown): unknown[] {
    const line: unknown[] = []
    for (const index of listOf(indexes)) {
      if (this.positions > maxVertices) break
      const arc = this.arcAt(Number(index) < 0 ? ~Number(index) : Number(index))
      const part = Number(index) < 0 ? arc.toReversed() : arc
      for (const position of line.length > 0 ? part.slice(1) : part) line.push(position)
      this.positions += part.length
    }
    return line
  }

  /** In a quantized arc each position is the difference from the previous one. */
  private arcAt(index: number): readonly unknown[] {
    const cached = this.decoded.get(index)
    if (cached) return cached
    const { scale } = this
    const arc = listOf(this.arcs[index])
    if (!scale) return arc
    let [x, y] = [0, 0]
    const decoded = arc.map((step): Position => {
      const [byX, byY] = toPair(step, Number.NaN)
      x += byX
      y += byY
      return this.dequantize([x, y], scale)
    })
    this.decoded.set(index, decoded)
    return decoded
  }
}

function toPair(value: unknown, fallback: number): Position {
  const [x, y] = listOf(value)
  return [typeof x === 'number' ? x : fallback, typeof y === 'number' ? y : fallback]
}
