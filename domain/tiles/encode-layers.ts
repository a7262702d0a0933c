import { PbfWriter } from 'pbf'
import type { Encodable } from './encoded-size.ts'
import { tileExtent } from './tile-address.ts'
import { type TagValues, tileTags } from './tile-features.ts'

// Mapbox Vector Tile 2.1 (github.com/mapbox/vector-tile-spec). Written directly from the rows, for speed: a full
// tile has eleven thousand features.

const command = { moveTo: 1, lineTo: 2, closePath: 7 } as const

const usualBytes = 2 ** 16

export function encodeLayers(layers: Readonly<Record<string, readonly Encodable[]>>): Uint8Array {
  const tile = new PbfWriter(new Uint8Array(usualBytes))
  for (const [name, features] of Object.entries(layers))
    if (features.length > 0) tile.writeMessage(3, writeLayer, { name, features })
  return tile.finish()
}

const keys = ['id', ...tileTags]

function writeLayer({ name, features }: { name: string; features: readonly Encodable[] }, layer: PbfWriter) {
  const tags = new LayerTags()
  layer.writeVarintField(15, 2)
  layer.writeStringField(1, name)
  for (const feature of features) layer.writeMessage(2, writeFeature, { feature, tags })
  for (const key of keys) layer.writeStringField(3, key)
  for (const value of tags.values) layer.writeMessage(4, writeText, value)
  layer.writeVarintField(5, tileExtent)
}

class LayerTags {
  readonly values: string[] = []
  private readonly numbers = new Map<string, number>()
  private readonly knownNumbers = new Map<TagValues, readonly number[]>()

  addId(id: string): number {
    return this.values.push(id) - 1
  }

  numbersOf(attributes: TagValues): readonly number[] {
    let tags = this.knownNumbers.get(attributes)
    if (!tags) {
      tags = tileTags.flatMap((tag) => {
        const value = attributes[tag]
        return value ? [keys.indexOf(tag), this.numberOf(value)] : []
      })
      this.knownNumbers.set(attributes, tags)
    }
    return tags
  }

  private numberOf(value: string): number {
    const assigned = this.numbers.get(value)
    if (assigned !== undefined) return assigned
    const number = this.values.push(value) - 1
    this.numbers.set(value, number)
    return number
  }
}

type Written = { feature: Encodable; tags: LayerTags }

function writeFeature(written: Written, pbf: PbfWriter) {
  pbf.writeMessage(2, writeTags, written)
  pbf.writeVarintField(3, written.feature.type)
  pbf.writeMessage(4, writeGeometry, written.feature)
}

function writeTags({ feature: { id, attributes }, tags }: Written, pbf: PbfWriter) {
  pbf.writeVarint(0)
  pbf.writeVarint(tags.addId(id))
  for (const number of tags.numbersOf(attributes)) pbf.writeVarint(number)
}

function writeText(text: string, pbf: PbfWriter) {
  pbf.writeStringField(1, text)
}

/** Deltas between points, across all parts. */
function writeGeometry({ type, geometry }: Encodable, pbf: PbfWriter) {
  const cursor = { x: 0, y: 0 }
  if (type === 1) {
    writeCommand(pbf, command.moveTo, geometry.length)
    for (const point of geometry) writePoint(pbf, cursor, point)
    return
  }
  for (const part of geometry) {
    // A command closes rings, without repeating the last point.
    const points = type === 3 ? part.length - 1 : part.length
    writeCommand(pbf, command.moveTo, 1)
    for (let index = 0; index < points; index++) {
      if (index === 1) writeCommand(pbf, command.lineTo, points - 1)
      writePoint(pbf, cursor, part[index] as number[])
    }
    if (type === 3) writeCommand(pbf, command.closePath, 1)
  }
}

function writeCommand(pbf: PbfWriter, id: number, count: number) {
  pbf.writeVarint((count << 3) | id)
}

function writePoint(pbf: PbfWriter, cursor: { x: number; y: number }, point: readonly number[]) {
  const x = point[0] as number
  const y = point[1] as number
  pbf.writeSVarint(x - cursor.x)
  pbf.writeSVarint(y - cursor.y)
  cursor.x = x
  cursor.y = y
}
