import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

type Photo = {
  width?: number
  height?: number
  color?: string
  format?: 'jpeg' | 'png' | 'webp'
  noise?: boolean
}

export const photoPlace = { lat: 34.0525, lng: -111.09 }

/** A photo taken with the camera on its side, with time and place; upright, its left half is green. */
export async function aPhoto(photo: Photo = {}): Promise<Buffer> {
  const { width = 60, height = 40, color = '#a53', format = 'jpeg', noise = false } = photo
  const grain = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  return sharp({
    create: { width, height, channels: 3, background: color, ...(noise ? { noise: grain } : {}) },
  })
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Make: 'Brownie', Artist: 'Rosa Delgado' },
      IFD2: { DateTimeOriginal: '2026:10:05 14:03:11' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '34/1 3/1 9/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '111/1 5/1 2400/100',
      },
    })
    .toFormat(format)
    .toBuffer()
}

export const aPdf = (text = 'Deed of Lot 4') =>
  Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n% ${text}\n` +
      'trailer<</Root 1 0 R>>\n%%EOF\n',
  )

/** A plain picture: 100 megapixels take some kilobytes. `extra` are chunks before the pixels. */
export function aPngOf(width: number, height: number, extra: readonly Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 1 bit per pixel, grayscale.
  head.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', head),
    ...extra,
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A chunk that unpacks to `unpackedBytes`. */
export const packedPngChunk = (type: 'zTXt' | 'iCCP', unpackedBytes: number) =>
  pngChunk(
    type,
    Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(unpackedBytes, 97), { level: 9 })]),
  )

/** The end of an empty ZIP archive. */
export const zipEnd = Buffer.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)])

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export function filesBelow(folder: string): string[] {
  const paths = (readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[]).toSorted()
  return paths.filter((path) => statSync(join(folder, path)).isFile())
}

type Corner = readonly [x: number, y: number]

export function dxfOf(outlines: Readonly<Record<string, readonly Corner[]>>): string {
  const pairs: [code: number, value: string | number][] = [
    [0, 'SECTION'],
    [2, 'ENTITIES'],
  ]
  for (const [layer, corners] of Object.entries(outlines)) {
    pairs.push([0, 'LWPOLYLINE'], [8, layer], [90, corners.length], [70, 1])
    for (const [x, y] of corners) pairs.push([10, x], [20, y])
  }
  pairs.push([0, 'ENDSEC'], [0, 'EOF'])
  return pairs.map(([code, value]) => `${code}\n${value}\n`).join('')
}
