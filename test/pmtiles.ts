import { zxyToTileId } from 'pmtiles'

export type PmTile = { z: number; x: number; y: number; bytes: Uint8Array }

/** PMTiles version 3, uncompressed (github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). */
export function pmtilesOf(tiles: readonly PmTile[], type: 'mvt' | 'png', metadata: object): Buffer {
  const sorted = tiles
    .map((tile) => ({ ...tile, id: zxyToTileId(tile.z, tile.x, tile.y) }))
    .sort((one, other) => one.id - other.id)
  const data = Buffer.concat(sorted.map(({ bytes }) => bytes))
  const offsets = sorted.map((_, index) =>
    sorted.slice(0, index).reduce((sum, { bytes }) => sum + bytes.length, 0),
  )
  const directory = Buffer.from([
    ...varint(sorted.length),
    ...sorted.flatMap(({ id }, index) => varint(id - (sorted[index - 1]?.id ?? 0))),
    ...sorted.flatMap(() => varint(1)),
    ...sorted.flatMap(({ bytes }) => varint(bytes.length)),
    ...offsets.flatMap((offset) => varint(offset + 1)),
  ])
  const description = Buffer.from(JSON.stringify(metadata))
  const header = Buffer.alloc(127)
  header.write('PMTiles', 'latin1')
  header.writeUInt8(3, 7)
  const write64 = (value: number, at: number) => header.writeBigUInt64LE(BigInt(value), at)
  const dataAt = 127 + directory.length + description.length
  const parts = [127, directory.length, 127 + directory.length, description.length, 0, 0, dataAt, data.length]
  for (const [index, value] of parts.entries()) write64(value, 8 + 8 * index)
  for (const at of [72, 80, 88]) write64(sorted.length, at)
  header.set([1, 1, 1, type === 'mvt' ? 1 : 2], 96)
  const zooms = sorted.map(({ z }) => z)
  header.set([Math.min(...zooms), Math.max(...zooms)], 100)
  const bounds = [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000]
  for (const [index, value] of bounds.entries()) header.writeInt32LE(value, 102 + 4 * index)
  return Buffer.concat([header, directory, description, data])
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return [...bytes, rest]
}
