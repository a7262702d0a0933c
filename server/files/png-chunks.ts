import { inflateSync } from 'node:zlib'

/** Chunks that affect the image, its Exif block, and the chunks that identify an animation. */
const usedChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB cICP sBIT iCCP eXIf acTL fcTL fdAT'.split(' '),
)
const singleChunks = new Set(['iCCP', 'eXIf'])

const maxProfileBytes = 4 * 1024 * 1024

/**
 * Removes unused chunks from a PNG, and returns any other file unchanged. Texts are compressed, up to a
 * thousand to one, and decoders unpack all of them into memory. Rejects a PNG whose color profile unpacks to
 * more than 4 MB.
 */
export function withoutUnusedChunks(bytes: Buffer): { bytes: Buffer } | { refused: string } {
  if (!bytes.subarray(0, 8).equals(signature)) return { bytes }
  const parts: Buffer[] = [signature]
  const seen = new Set<string>()
  for (let start = 8; start + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', start + 4, start + 8)
    const end = start + 12 + bytes.readUInt32BE(start)
    if (usedChunks.has(type) && !seen.has(type)) parts.push(bytes.subarray(start, end))
    if (singleChunks.has(type)) {
      if (type === 'iCCP' && !seen.has(type) && isLargeProfile(bytes.subarray(start + 8, end - 4)))
        return {
          refused: `has a color profile larger than ${maxProfileBytes / 1024 / 1024} MB. Save the image without it`,
        }
      seen.add(type)
    }
    if (type === 'IEND') break
    start = end
  }
  return { bytes: Buffer.concat(parts) }
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** `data` is a name, a zero byte, the compression method (only one exists), and the compressed profile. */
function isLargeProfile(data: Buffer): boolean {
  try {
    inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: maxProfileBytes })
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
  }
}
