import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDecoder } from '../formats/decode-text.ts'
import { isObject, type JsonObject } from '../formats/read-json.ts'
import { chunksOfFile } from '../formats/read-records.ts'
import { type JsonPiece, splitJson } from '../formats/split-json.ts'
import { ImportError } from '../import-error.ts'

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export async function* piecesOfFile(path: string): AsyncGenerator<JsonPiece> {
  const decode = createDecoder(() => {})
  for await (const pieces of splitJson(chunksOfFile(path), decode)) yield* pieces
}

export async function readMembers(
  path: string,
  isEnough: (members: ReadonlyMap<string, unknown>, first: unknown) => boolean = () => false,
) {
  const members = new Map<string, unknown>()
  let first: unknown
  for await (const piece of piecesOfFile(path)) {
    if (piece.piece === 'member') members.set(piece.name, piece.read())
    if (piece.piece === 'element') first ??= piece.read()
    if (isEnough(members, first)) break
  }
  return { members, first }
}

export async function writeText(
  path: string,
  texts: Iterable<string> | AsyncIterable<string>,
  maxBytes: number,
): Promise<number> {
  let bytes = 0
  async function* counted() {
    for await (const text of texts) {
      bytes += Buffer.byteLength(text)
      if (bytes > maxBytes)
        throw new ImportError(`The file becomes larger than ${Math.round(maxBytes / 2 ** 20)} MB. Split it.`)
      yield text
    }
  }
  await pipeline(Readable.from(counted()), createWriteStream(path, { mode: 0o600 }))
  return bytes
}
