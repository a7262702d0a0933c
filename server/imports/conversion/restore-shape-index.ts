import { copyFile, link, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, sep } from 'node:path'

// A Shapefile's .shx lists where each record of its .shp begins (ESRI Shapefile Technical Description, 1998), so it can
// be derived.

const headerBytes = 100
const windowBytes = 2 ** 18

export async function withShapeIndex(
  path: string,
  folder: string,
): Promise<{ path: string; isDerived: boolean }> {
  const stem = basename(path, extname(path)).toLowerCase()
  const names = await readdir(dirname(path))
  const parts = names.filter((name) => basename(name, extname(name)).toLowerCase() === stem)
  if (parts.some((name) => extname(name).toLowerCase() === '.shx')) return { path, isDerived: false }
  const isOurs = path.startsWith(folder + sep)
  const target = isOurs ? path : join(folder, 'indexed', basename(path))
  if (!isOurs) {
    await rm(dirname(target), { recursive: true, force: true })
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    for (const name of parts) await linkOrCopy(join(dirname(path), name), join(dirname(target), name))
  }
  const index = await deriveIndex(path)
  const ending = extname(path) === extname(path).toUpperCase() ? '.SHX' : '.shx'
  if (index) await writeFile(target.slice(0, -extname(target).length) + ending, index, { mode: 0o600 })
  return { path: target, isDerived: true }
}

/** Links fail between disks. */
export const linkOrCopy = (from: string, to: string) => link(from, to).catch(() => copyFile(from, to))

/** Undefined if the header is incomplete. Lengths and offsets are in words of 16 bits, big-endian. */
async function deriveIndex(path: string): Promise<Buffer | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const window = Buffer.alloc(windowBytes)
    let from = 0
    let { bytesRead: filled } = await file.read(window, 0, windowBytes, 0)
    if (filled < headerBytes) return undefined
    const header = Buffer.from(window.subarray(0, headerBytes))
    const records: Buffer[] = []
    for (let offset = headerBytes; offset + 8 <= size; ) {
      if (offset + 8 > from + filled) {
        from = offset
        filled = (await file.read(window, 0, windowBytes, from)).bytesRead
        if (filled < 8) break
      }
      const words = window.readUInt32BE(offset - from + 4)
      if (words < 2 || offset + 8 + 2 * words > size) break
      const record = Buffer.alloc(8)
      record.writeUInt32BE(offset / 2, 0)
      record.writeUInt32BE(words, 4)
      records.push(record)
      offset += 8 + 2 * words
    }
    header.writeUInt32BE((headerBytes + 8 * records.length) / 2, 24)
    return Buffer.concat([header, ...records])
  } finally {
    await file.close()
  }
}
