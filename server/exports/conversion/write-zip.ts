import { createReadStream, createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

// A zip of a few files (PKWARE APPNOTE 6.3.3). None of them reaches the 4 GB from which on it would have another form: a
// Shapefile ends at 2 GB.

type Entry = { name: Buffer; crc: number; packed: number; size: number; position: number }

/** Sizes follow the bytes; names are UTF-8. */
const flags = 0x0808
const deflated = 8
const version = 20
/** 1980-01-01, the first day that it knows. */
const [time, day] = [0, 0x21]

export async function writeZip(path: string, files: readonly string[]): Promise<void> {
  await pipeline(Readable.from(bytesOf(files)), createWriteStream(path, { mode: 0o600 }))
}

async function* bytesOf(files: readonly string[]): AsyncGenerator<Buffer> {
  const entries: Entry[] = []
  let position = 0
  const told = (bytes: Buffer) => {
    position += bytes.length
    return bytes
  }
  for (const file of files) {
    const entry: Entry = { name: Buffer.from(basename(file)), crc: 0, packed: 0, size: 0, position }
    yield told(
      Buffer.concat([
        signature(0x04034b50),
        words(version, flags, deflated, time, day),
        sums(),
        lengths(entry),
        entry.name,
      ]),
    )
    const source = createReadStream(file).on('data', (chunk) => {
      entry.crc = crc32(chunk, entry.crc)
      entry.size += chunk.length
    })
    const packing = createDeflateRaw()
    const packed = pipeline(source, packing)
    // Its error comes with the bytes.
    packed.catch(() => {})
    for await (const chunk of packing as AsyncIterable<Buffer>) {
      entry.packed += chunk.length
      yield told(chunk)
    }
    await packed
    yield told(Buffer.concat([signature(0x08074b50), sums(entry)]))
    entries.push(entry)
  }
  const directory = Buffer.concat(entries.map(inDirectory))
  yield directory
  yield Buffer.concat([
    signature(0x06054b50),
    words(0, 0, entries.length, entries.length),
    longs(directory.length, position),
    words(0),
  ])
}

const inDirectory = (entry: Entry) =>
  Buffer.concat([
    signature(0x02014b50),
    words(version, version, flags, deflated, time, day),
    sums(entry),
    lengths(entry),
    words(0, 0, 0),
    longs(0, entry.position),
    entry.name,
  ])

const signature = (value: number) => longs(value)
const sums = ({ crc, packed, size } = { crc: 0, packed: 0, size: 0 }) => longs(crc, packed, size)
/** Of the name, and of nothing more. */
const lengths = ({ name }: Entry) => words(name.length, 0)

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

function longs(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}
