import { createReadStream } from 'node:fs'
import { ImportError } from '../import-error.ts'
import { ColumnCount } from './column-limit.ts'
import { utf8OfUtf16 } from './decode-text.ts'
import { readCsv, type TableOptions } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { readKml } from './read-kml.ts'
import { refuseOtherFormats } from './refused-formats.ts'
import type { OnNotice, SourceRecord } from './source-record.ts'
import { blankFirst, lengthOfAssignment } from './unwrap-script.ts'

/** A file, wherever it comes from. `name` is its file name. */
export type ImportInput = {
  name: string
  totalBytes?: number
  /** Can be read more than once. */
  chunks: AsyncIterable<Uint8Array>
}

/** A file of this machine. */
export type ImportFile = { path: string; totalBytes: number }

export const chunksOfFile = (path: string): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => createReadStream(path, { highWaterMark: 2 ** 18 })[Symbol.asyncIterator](),
})

export type FileFormat = 'json' | 'csv' | 'kml'

/** Reads a file as a stream of records, whatever its format: its content decides, not its name. */
export async function* readRecords(
  input: ImportInput,
  onNotice: OnNotice,
  table: TableOptions = {},
): AsyncGenerator<SourceRecord & { format: FileFormat }> {
  const { start, chunks } = await peek(input.chunks)
  if (start.length === 0) throw new ImportError('The file is empty.')
  const utf16 = detectUtf16(start)
  if (utf16) {
    yield* readRecords({ ...input, chunks: utf8OfUtf16(chunks, utf16) }, onNotice, table)
    return
  }
  const content = startsWith(start, 0xef, 0xbb, 0xbf) ? start.subarray(3) : start
  refuseOtherFormats(content, input.name)
  const whole = withoutFirst(start.length - content.length, chunks)
  const before = lengthOfAssignment(Buffer.from(content).toString('latin1'))
  const format = before > 0 ? 'json' : detectFormat(content, input.name)
  const text = before > 0 ? blankFirst(whole, before) : whole
  const readers = {
    json: () => readJson(text, { fileName: input.name, isScript: before > 0 }, onNotice),
    csv: () => readCsv(text, content, onNotice, table),
    kml: () => readKml(text, onNotice),
  }
  const columns = new ColumnCount()
  for await (const record of readers[format]()) {
    columns.add(record.properties)
    yield Object.assign(record, { format })
  }
}

/** So much of a file tells what it is: of an archive, which files it begins with. */
const peekedBytes = 65_536

/** The first bytes, and the whole again. */
async function peek(chunks: AsyncIterable<Uint8Array>) {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let length = 0; length < peekedBytes; ) {
    const { value, done } = await iterator.next()
    if (done) break
    first.push(value)
    length += value.length
  }
  async function* whole() {
    try {
      yield* first
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { start: new Uint8Array(Buffer.concat(first).subarray(0, peekedBytes)), chunks: whole() }
}

async function* withoutFirst(count: number, chunks: AsyncIterable<Uint8Array>) {
  let left = count
  for await (const chunk of chunks) {
    const skipped = Math.min(left, chunk.length)
    left -= skipped
    if (skipped < chunk.length) yield chunk.subarray(skipped)
  }
}

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}

function detectUtf16(start: Uint8Array) {
  if (startsWith(start, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(start, 0xfe, 0xff)) return 'utf-16be'
  // Without a byte order mark, too, it begins with letters of ASCII.
  const zeros = [...start.subarray(0, 8)].map((byte) => (byte === 0 ? 0 : 1)).join('')
  if (zeros === '10101010') return 'utf-16le'
  return zeros === '01010101' ? 'utf-16be' : undefined
}

function detectFormat(start: Uint8Array, name: string): FileFormat {
  const [first = ''] = Buffer.from(start).toString('latin1').trimStart()
  // U+001E separates GeoJSON texts in a sequence (RFC 8142).
  if (first === '<') return 'kml'
  if (first === '{' || first === '[' || first === '\u001e') return 'json'
  return /\.(geo)?json[ls]?$|\.ndjson$/i.test(name) ? 'json' : 'csv'
}
