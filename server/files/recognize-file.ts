import type { FileKind } from '#domain/files/file.schema.ts'
import { RefusedError } from '../domain-error.ts'

export type RecognizedFile = { kind: FileKind; mediaType: string }

export function recognizeFile(bytes: Buffer, { isPhoto = false } = {}): RecognizedFile {
  const mediaType = mediaTypeOf(bytes)
  const wanted = `Upload a photo (JPEG, PNG, or WebP)${isPhoto ? '' : ' or a PDF'}`
  if (mediaType === undefined) throw refuse(`is ${describeOther(bytes)}. ${wanted}`)
  const other = findSecondType(bytes, mediaType)
  if (other)
    throw refuse(`is both a ${nameOf[mediaType]} file and ${other}. Save it again with another program`)
  if (mediaType !== 'application/pdf') return { kind: 'photo', mediaType }
  if (isPhoto) throw refuse(`is a PDF. ${wanted}`)
  // Programs append a line, rarely more.
  if (!bytes.subarray(-1024).includes('%%EOF')) throw refuse('is a damaged or incomplete PDF')
  return { kind: 'pdf', mediaType }
}

const refuse = (reason: string) => new RefusedError('file', reason)

type MediaType = keyof typeof nameOf
const nameOf = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'application/pdf': 'PDF',
} as const

function mediaTypeOf(bytes: Buffer): MediaType | undefined {
  if (begins(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return 'image/webp'
  if (/^%PDF-[12]\.\d/.test(textAt(bytes, 0, 8))) return 'application/pdf'
  return undefined
}

/** Other formats that users upload as photos, with advice. */
function describeOther(bytes: Buffer): string {
  const head = textAt(bytes, 0, 1024)
  const brand = textAt(bytes, 4, 8)
  if (/^ftyp(heic|heix|hevc|mif1|msf1)/.test(brand))
    return 'a HEIC photo (set the camera to “Most compatible”, or save the photo as JPEG)'
  if (brand.startsWith('ftypavi')) return 'an AVIF image'
  if (brand.startsWith('ftyp')) return 'a video'
  if (head.startsWith('GIF8')) return 'a GIF image'
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'a TIFF or raw image'
  if (head.startsWith('BM')) return 'a BMP image'
  if (head.startsWith('MZ') || head.startsWith('\x7fELF') || head.startsWith('#!')) return 'a program'
  if (/<svg[\s>]/i.test(head)) return 'a drawing (SVG)'
  if (webPage.test(head)) return 'a web page'
  if (head.startsWith('PK\x03\x04')) return 'a ZIP archive or an office document'
  return 'of an unknown type'
}

const webPage = /<(!doctype html|html|script|svg|iframe|body)[\s>]/i

/** Programs that guess the type of a file read this much of its beginning. */
const guessedBytes = 1024

/** Another type that programs may recognize, whose content would be unchecked. */
function findSecondType(bytes: Buffer, mediaType: MediaType): string | undefined {
  const head = textAt(bytes, 0, guessedBytes)
  if (mediaType !== 'application/pdf' && head.includes('%PDF-')) return 'a PDF'
  if (webPage.test(head)) return 'a web page'
  return endsAsZip(bytes) ? 'a ZIP archive' : undefined
}

/** A ZIP archive is read from its end: a record of 22 bytes and a comment that reaches to the last byte. */
function endsAsZip(bytes: Buffer): boolean {
  const from = Math.max(0, bytes.length - 22 - 0xffff)
  for (let at = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1'); at >= from; ) {
    if (at + 22 <= bytes.length && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length) return true
    if (at === 0) return false
    at = bytes.lastIndexOf('PK\x05\x06', at - 1, 'latin1')
  }
  return false
}

const begins = (bytes: Buffer, expected: readonly number[]) =>
  expected.every((byte, index) => bytes[index] === byte)

const textAt = (bytes: Buffer, start: number, length: number) =>
  bytes.subarray(start, start + length).toString('latin1')
