import { inflateSync } from 'node:zlib'

/** The chunks that decide how a picture looks, its Exif block, and those by which an animation is recognized. */
const usedChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB cICP sBIT iCCP eXIf acTL fcTL fdAT'.split(' '),
)
/** The used chunks that a PNG may have only once; later ones are left out. */
const singleChunks = new Set(['iCCP', 'eXIf'])

/** The largest profiles in use, of printers, have about 3 MB. */
const maxProfileBytes = 4 * 1024 * 1024

/**
 * Returns a PNG without the chunks that its picture does not need, and any other file as it is. Texts are compressed, up to a
 * thousand to one, and decoders unpack all of them into memory. Refuses a PNG whose color profile unpacks to more than 4 MB.
 */
export function withoutUnusedChunks(bytes: Buffer): { bytes: Buffer } | { refused: string } {
  if (!bytes.subarray(0, 8).equals(signature)) return { bytes }
  const parts: Buffer[] = [signature]
  const seen = new Set<string>()
  // Each chunk: length, type, data, checksum.
  for (let start = 8; start + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', start + 4, start + 8)
    const end = start + 12 + bytes.readUInt32BE(start)
    if (usedChunks.has(type) && !seen.has(type)) parts.push(bytes.subarray(start, end))
    if (singleChunks.has(type)) {
      if (type === 'iCCP' && !seen.has(type) && isLargeProfile(bytes.subarray(start + 8, end - 4)))
        return {
          refused: `has a color profile of more than ${maxProfileBytes / 1024 / 1024} MB: save the picture without it`,
        }
      seen.add(type)
    }
    if (type === 'IEND') break
    start = end
  }
  return { bytes: Buffer.concat(parts) }
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** `data` is a name, a zero byte, the method of compression (there is one only), and the compressed profile. */
function isLargeProfile(data: Buffer): boolean {
  try {
    inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: maxProfileBytes })
    return false
  } catch (error) {
    // Decoders pass over a profile that is damaged.
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
  }
}
