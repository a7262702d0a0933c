import { crc32, deflateRawSync } from 'node:zlib'

type ZipEntry =
  | { name: string; bytes: string | Buffer }
  /** Already compressed; `size` in the header can be wrong. */
  | { name: string; deflated: Buffer; size: number }

export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const bytes = 'bytes' in entry ? Buffer.from(entry.bytes) : Buffer.alloc(0)
    const packed = 'bytes' in entry ? deflateRawSync(bytes) : entry.deflated
    const size = 'bytes' in entry ? bytes.length : entry.size
    const name = Buffer.from(entry.name)
    // Version, flags (UTF-8 names), deflate, time, date.
    const common = Buffer.alloc(26)
    for (const [index, value] of [20, 0x800, 8, 0, 0x21].entries()) common.writeUInt16LE(value, 2 * index)
    for (const [index, value] of [crc32(bytes), packed.length, size].entries())
      common.writeUInt32LE(value, 10 + 4 * index)
    common.writeUInt16LE(name.length, 22)
    files.push(Buffer.from('PK\u0003\u0004', 'latin1'), common, name, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, rest, name)
    offset += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  for (const at of [4, 6]) end.writeUInt16LE(entries.length, at)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, listed, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}
