import type { OnNotice } from './source-record.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const windows1252 = new TextDecoder('windows-1252')

/**
 * Decodes cells or features one by one, so that a stray byte affects only one: UTF-8, or Windows-1252 if the bytes are
 * not valid UTF-8.
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

export async function* utf16ToUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding)
  const encoder = new TextEncoder()
  for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }))
  yield encoder.encode(decoder.decode())
}
