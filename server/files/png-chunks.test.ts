import { describe, expect, it } from 'vitest'
import { aPhoto, aPngOf, packedPngChunk, pngChunk } from '#test/imports/file-bytes.ts'
import { withoutUnusedChunks } from './png-chunks.ts'

const exif = pngChunk('eXIf', Buffer.from('II*\0'))
const profile = packedPngChunk('iCCP', 500_000)
const text = packedPngChunk('zTXt', 7_500_000)

describe('a PNG before it is decoded', () => {
  it.each([
    ['compressed texts', [text, text]],
    ['other texts', [pngChunk('tEXt', Buffer.from('a\0b')), pngChunk('iTXt', Buffer.from('a\0\x01\0\0\0'))]],
    ['suggested palettes', [pngChunk('sPLT', Buffer.from('a\0\x08'))]],
    ['unknown chunks', [pngChunk('xxXx', Buffer.alloc(100))]],
    ['a second color profile and Exif block', [profile, exif]],
  ])('removes %s', (_, extra) => {
    const used = [profile, exif]
    expect(withoutUnusedChunks(aPngOf(10, 10, [...used, ...extra]))).toEqual({ bytes: aPngOf(10, 10, used) })
  })

  it('rejects a color profile that unpacks to more than 4 MB', () => {
    const large = aPngOf(10, 10, [packedPngChunk('iCCP', 4 * 1024 ** 2 + 1)])
    expect(withoutUnusedChunks(large)).toEqual({
      refused: expect.stringContaining('a color profile larger than 4 MB'),
    })
  })

  it('removes bytes after the end', () => {
    const png = aPngOf(10, 10)
    expect(withoutUnusedChunks(Buffer.concat([png, text]))).toEqual({ bytes: png })
  })

  it('keeps a damaged file unchanged', () => {
    const png = aPngOf(10, 10)
    for (const end of [10, 20, png.length - 20, png.length - 1])
      expect(withoutUnusedChunks(png.subarray(0, end))).toEqual({
        bytes: end < 16 ? png.subarray(0, 8) : png.subarray(0, end),
      })
  })

  it('keeps other formats unchanged', async () => {
    for (const format of ['jpeg', 'webp'] as const) {
      const bytes = await aPhoto({ format })
      expect(withoutUnusedChunks(bytes)).toEqual({ bytes })
    }
  })
})
