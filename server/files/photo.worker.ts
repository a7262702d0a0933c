import sharp, { type Sharp } from 'sharp'
import { maxPhotoPixels, type PhotoArea } from '#domain/files/file.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { answerOrder } from '../processes/processes.ts'
import type { MadePhoto, PhotoAnswer, PhotoOrder } from './photo-maker.ts'
import { withoutUnusedChunks } from './png-chunks.ts'
import { readExif } from './read-exif.ts'

// A child process that photo-maker.ts starts and ends, because decoders of untrusted images run here.

const largePixels = 2048
const smallPixels = 400

// Enough for 50 megapixels of 16 bits, interlaced and rotated, which take 0.6 GB.
const memoryLimitBytes = 1024 ** 3

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
sharp.concurrency(1)
sharp.cache(false)

answerOrder<PhotoOrder, PhotoAnswer>(
  (order) => make(order).catch((error: Error) => ({ refused: wordsOf(error) })),
  { memoryLimitBytes },
)

async function make({ bytes: received, areas }: PhotoOrder): Promise<PhotoAnswer> {
  const picture = withoutUnusedChunks(Buffer.from(received.buffer, received.byteOffset, received.byteLength))
  if ('refused' in picture) return picture
  const { bytes } = picture
  // Reads only the header, without decompressing.
  const { width, height, exif, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (pages > 1) return { refused: `is an animation, not a photo` }
  const pixels = width * height
  if (pixels > maxPhotoPixels)
    return {
      refused: `has ${megapixels(pixels)} megapixels, more than the limit of ${megapixels(maxPhotoPixels)}`,
    }
  const whole = sharp(bytes, { limitInputPixels: maxPhotoPixels, failOn: 'error' })
    .autoOrient()
    .resize(largePixels, largePixels, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
  const large = await (areas.length === 0 ? whole : await blackOut(whole, areas))
    .jpeg({ quality: 82 })
    .toBuffer({ resolveWithObject: true })
  const small = await sharp(large.data)
    .resize(smallPixels, smallPixels, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 75 })
    .toBuffer()
  const made: MadePhoto = {
    large: large.data,
    small,
    width: large.info.width,
    height: large.info.height,
    ...readExif(exif),
  }
  return { made }
}

async function blackOut(photo: Sharp, areas: readonly PhotoArea[]) {
  const { data, info } = await photo.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  for (const area of areas) {
    // Whole pixels: one that is partly covered is black.
    const [left, top] = [Math.floor(area.x * width), Math.floor(area.y * height)]
    const right = Math.min(width, Math.ceil((area.x + area.width) * width))
    const bottom = Math.min(height, Math.ceil((area.y + area.height) * height))
    for (let row = top; row < bottom; row++)
      data.fill(0, (row * width + left) * channels, (row * width + right) * channels)
  }
  return sharp(data, { raw: { width, height, channels } })
}

const megapixels = (pixels: number) => formatNumber(pixels / 1_000_000)

function wordsOf({ message }: Error): string {
  const reason = (message.split('\n')[0] ?? '').replace(/^\w+: /, '')
  return `cannot be read: it is damaged or incomplete (${reason})`
}
