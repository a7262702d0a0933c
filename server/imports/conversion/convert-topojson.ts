import { maxVertices, type Position } from '#domain/geometry/geometry.schema.ts'
import { type JsonObject, objectOf, piecesOfFile, writeText } from './json-files.ts'

// TopoJSON (specification 1.1) as GeoJSON, a file for each of its objects. GDAL leaves out rows without a place and loses digits
// of long numbers. Shapes stay unchecked: what is wrong with them is told of their row.

export type TopologyObject = { name: string; rows: number; path: string }

/** Writes each object beside `target`. Arcs are small beside the bytes of all that use them, so `mostBytes` limits these. */
export async function convertTopoJson(
  path: string,
  target: string,
  mostBytes: number,
): Promise<TopologyObject[]> {
  const members: Record<string, unknown> = {}
  for await (const piece of piecesOfFile(path))
    if (piece.piece === 'member' && piece.name !== '__proto__') members[piece.name] = piece.value
  const arcs = new Arcs(members)
  const found: TopologyObject[] = []
  let left = mostBytes
  for (const [name, object] of Object.entries(objectOf(members.objects))) {
    const rows = rowsOf(objectOf(object))
    const written = `${target}-${found.length}.geojsonl`
    left -= await writeText(written, linesOf(rows, arcs), left)
    found.push({ name, rows: rows.length, path: written })
  }
  return found
}

function* linesOf(rows: readonly JsonObject[], arcs: Arcs) {
  for (const row of rows) yield `${JSON.stringify(featureOf(row, arcs))}\n`
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Each part of a collection is a row, as it has properties of its own; an object without parts is one. */
const rowsOf = (object: JsonObject): JsonObject[] =>
  object.type === 'GeometryCollection' ? listOf(object.geometries).map(objectOf) : [object]

function featureOf(object: JsonObject, arcs: Arcs) {
  const { id, properties } = object
  return {
    type: 'Feature',
    ...(id === undefined ? {} : { id }),
    properties: objectOf(properties),
    geometry: arcs.shapeOf(object),
  }
}

/** Lines that shapes share. A number below zero names one from its end: -1 is the first, ~index in general. */
class Arcs {
  private readonly arcs: readonly unknown[]
  private readonly decoded = new Map<number, Position[]>()
  private readonly scale: Position | null
  private readonly translate: Position
  /** Of the shape that is made: one with more positions than are read is cut, and refused. */
  private positions = 0

  constructor({ arcs, transform }: JsonObject) {
    const { scale, translate } = objectOf(transform)
    this.arcs = listOf(arcs)
    this.scale = transform === undefined ? null : pairOf(scale, 1)
    this.translate = pairOf(translate, 0)
  }

  shapeOf(object: JsonObject): object | null {
    this.positions = 0
    return this.partOf(object)
  }

  private partOf(object: JsonObject): object | null {
    const { type, arcs, coordinates, geometries } = object
    if (type === null || type === undefined) return null
    switch (type) {
      case 'Point':
        return { type, coordinates: this.placeOf(coordinates) }
      case 'MultiPoint':
        return { type, coordinates: listOf(coordinates).map((one) => this.placeOf(one)) }
      case 'LineString':
        return { type, coordinates: this.lineOf(arcs) }
      case 'MultiLineString':
      case 'Polygon':
        return { type, coordinates: listOf(arcs).map((one) => this.lineOf(one)) }
      case 'MultiPolygon':
        return {
          type,
          coordinates: listOf(arcs).map((rings) => listOf(rings).map((ring) => this.lineOf(ring))),
        }
      case 'GeometryCollection':
        return { type, geometries: listOf(geometries).map((one) => this.partOf(objectOf(one))) }
      default:
        return { type }
    }
  }

  private placeOf(value: unknown): unknown {
    if (!this.scale) return value
    const [x, y] = pairOf(value, Number.NaN)
    return [x * this.scale[0] + this.translate[0], y * this.scale[1] + this.translate[1]]
  }

  /** Arcs end where the next one begins. */
  private lineOf(indexes: unknown): unknown[] {
    const line: unknown[] = []
    for (const index of listOf(indexes)) {
      if (this.positions > maxVertices) break
      const arc = this.arcOf(Number(index) < 0 ? ~Number(index) : Number(index))
      const part = Number(index) < 0 ? arc.toReversed() : arc
      for (const position of line.length > 0 ? part.slice(1) : part) line.push(position)
      this.positions += part.length
    }
    return line
  }

  /** Of a quantized one each position is the step from the one before. */
  private arcOf(index: number): readonly unknown[] {
    const known = this.decoded.get(index)
    if (known) return known
    const arc = listOf(this.arcs[index])
    if (!this.scale) return arc
    let [x, y] = [0, 0]
    const decoded = arc.map((step): Position => {
      const [byX, byY] = pairOf(step, Number.NaN)
      x += byX
      y += byY
      return this.placeOf([x, y]) as Position
    })
    this.decoded.set(index, decoded)
    return decoded
  }
}

function pairOf(value: unknown, otherwise: number): Position {
  const [x, y] = listOf(value)
  return [typeof x === 'number' ? x : otherwise, typeof y === 'number' ? y : otherwise]
}
