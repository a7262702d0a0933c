import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDecoder } from '../formats/decode-text.ts'
import { chunksOfFile } from '../formats/read-records.ts'
import { type JsonPiece, splitJson } from '../formats/split-json.ts'
import { ImportError } from '../import-error.ts'

// JSON of other formats that is rewritten as GeoJSON.

export type JsonObject = Readonly<Record<string, unknown>>

/** Without members for anything else. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

export const piecesOfFile = (path: string): AsyncGenerator<JsonPiece> =>
  splitJson(
    chunksOfFile(path),
    createDecoder(() => {}),
  )

/** Writes a file that only we can read; returns its bytes. */
export async function writeText(
  path: string,
  texts: Iterable<string> | AsyncIterable<string>,
  mostBytes: number,
): Promise<number> {
  let bytes = 0
  async function* counted() {
    for await (const text of texts) {
      bytes += Buffer.byteLength(text)
      if (bytes > mostBytes)
        throw new ImportError(`The file becomes more than ${Math.round(mostBytes / 2 ** 20)} MB. Divide it.`)
      yield text
    }
  }
  await pipeline(Readable.from(counted()), createWriteStream(path, { mode: 0o600 }))
  return bytes
}
