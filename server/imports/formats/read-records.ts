import { createReadStream } from 'node:fs'
import { ImportError } from '../import-error.ts'
import { utf16ToUtf8 } from './decode-text.ts'
import { lengthOfAssignment, otherFormat, recognizeForeign } from './detect-format.ts'
import { readCsv, type TableOptions } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { readKml } from './read-kml.ts'
import { ColumnCount, type IsWanted, type OnNotice, type SourceRecord } from './source-record.ts'

export type ImportInput = {
  name: string
  totalBytes?: number
  chunks: AsyncIterable<Uint8Array>
}

export type ImportFile = { path: string; totalBytes: number }

export const chunksOfFile = (path: string): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => createReadStream(path, { highWaterMark: 2 ** 18 })[Symbol.asyncIterator](),
})

export type FileFormat = 'json' | 'csv' | 'kml'

/** Detects the format from the content, not the name. */
export async function* readRecords(
  input: ImportInput,
  onNotice: OnNotice,
  options: TableOptions & { isWanted?: IsWanted } = {},
): AsyncGenerator<SourceRecord & { format: FileFormat }> {
  const { start, chunks } = await peek(input.chunks)
  if (start.length === 0) throw new ImportError('The file is empty.')
  const utf16 = detectUtf16(start)
  if (utf16) {
    yield* readRecords({ ...input, chunks: utf16ToUtf8(chunks, utf16) }, onNotice, options)
    return
  }
  const content = startsWith(start, 0xef, 0xbb, 0xbf) ? start.subarray(3) : start
  const foreign = recognizeForeign(content)
  if (foreign) throw otherFormat(foreign, input.name)
  const assignmentLength = lengthOfAssignment(Buffer.from(content).toString('latin1'))
  const isScript = assignmentLength > 0
  const format = isScript ? 'json' : detectFormat(content, input.name)
  const text = withoutStart(chunks, start.length - content.length, assignmentLength)
  const { isWanted = () => true } = options
  const readers = {
    json: () => readJson(text, { fileName: input.name, isScript, isWanted }, onNotice),
    csv: () => readCsv(text, content, onNotice, options),
    kml: () => readKml(text, onNotice),
  }
  const columns = new ColumnCount()
  for await (const record of readers[format]()) {
    if (!isWanted(record.rowNumber)) continue
    columns.add(record.properties)
    yield Object.assign(record, { format })
  }
}

const peekedBytes = 65_536

async function peek(chunks: AsyncIterable<Uint8Array>) {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let length = 0; length < peekedBytes; ) {
    const { value, done } = await iterator.next()
    if (done) break
    first.push(value)
    length += value.length
  }
  async function* all() {
    try {
      yield* first
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { start: new Uint8Array(Buffer.concat(first).subarray(0, peekedBytes)), chunks: all() }
}

const [newline, space] = [10, 32]

/** Replaces bytes by spaces, so that lines and columns of the rest stay the same. */
async function* withoutStart(chunks: AsyncIterable<Uint8Array>, dropped: number, blanked: number) {
  let [toDrop, toBlank] = [dropped, blanked]
  for await (const chunk of chunks) {
    const rest = chunk.subarray(toDrop)
    toDrop -= chunk.length - rest.length
    const blanks = toBlank
    toBlank -= Math.min(blanks, rest.length)
    if (rest.length > 0)
      yield blanks === 0
        ? rest
        : rest.map((byte, index) => (index < blanks && byte !== newline ? space : byte))
  }
}

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte)
}

function detectUtf16(start: Uint8Array) {
  if (startsWith(start, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(start, 0xfe, 0xff)) return 'utf-16be'
  // Without a byte order mark: the first letters are ASCII.
  const zeros = [...start.subarray(0, 8)].map((byte) => (byte === 0 ? 0 : 1)).join('')
  if (zeros === '10101010') return 'utf-16le'
  return zeros === '01010101' ? 'utf-16be' : undefined
}

function detectFormat(start: Uint8Array, name: string): FileFormat {
  const [first = ''] = Buffer.from(start).toString('latin1').trimStart()
  if (first === '<') return 'kml'
  // U+001E separates GeoJSON texts in a sequence (RFC 8142).
  if (first === '{' || first === '[' || first === '\u001e') return 'json'
  return /\.(geo)?json[ls]?$|\.ndjson$/i.test(name) ? 'json' : 'csv'
}
