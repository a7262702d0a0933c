import type { OnNotice } from './source-record.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const windows1252 = new TextDecoder('windows-1252')

/**
 * Decodes UTF-8; a piece that is none is taken for Windows-1252, which any bytes are. The pieces are single
 * cells or features, so that one stray byte spoils no other.
 */
export function createDecoder(onNotice: OnNotice): (bytes: Uint8Array) => string {
  let hasWarned = false
  return (bytes) => {
    try {
      return utf8.decode(bytes)
    } catch {
      if (!hasWarned) onNotice('Some text is not valid UTF-8 and was read as Windows-1252.')
      hasWarned = true
      return windows1252.decode(bytes)
    }
  }
}

/** UTF-16, as some spreadsheets write it, made UTF-8. */
export async function* utf8OfUtf16(
  chunks: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding)
  const encoder = new TextEncoder()
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }))
  yield encoder.encode(decoder.decode())
}
