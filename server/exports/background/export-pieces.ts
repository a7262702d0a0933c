import { open } from 'node:fs/promises'
import type { BlobStore } from '../../blob-store.ts'
import type { BackgroundExportsTable } from '../../database/tables.ts'
import { type ExportKey, piecesOf } from '../background-exports.queries.ts'

// A store takes a thing as a whole: a file of a gigabyte comes in pieces, so that no more than one is in memory.

const pieceBytes = 8_000_000

type Attempt = Pick<BackgroundExportsTable, 'map_id' | 'id' | 'attempt'>

/** What a killed server has left behind goes with the row: the upkeep of the store sees to that. */
const pieceKey = ({ map_id, id, attempt }: Attempt, piece: number) =>
  `${map_id}/exports/${id}.${attempt}.${piece}`

/** Puts a file into the store, all of it or nothing; returns the bytes of each piece. */
export async function putFile(
  store: BlobStore,
  attempt: Attempt,
  path: string,
  signal: AbortSignal,
): Promise<number[]> {
  const file = await open(path)
  const pieces: number[] = []
  try {
    const buffer = Buffer.alloc(pieceBytes)
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(buffer, 0, pieceBytes)
      if (bytesRead === 0) return pieces
      await store.put(pieceKey(attempt, pieces.length), buffer.subarray(0, bytesRead))
      pieces.push(bytesRead)
    }
  } catch (error) {
    await removePieces(store, attempt, pieces.length).catch(() => {})
    throw error
  } finally {
    await file.close()
  }
}

/** The whole file, piece by piece; undefined where it is gone. */
export async function readFile(
  store: BlobStore,
  row: BackgroundExportsTable,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  if ((await store.sizeOf(pieceKey(row, 0))) === undefined) return undefined
  async function* all() {
    for (const piece of piecesOf(row).keys()) {
      const found = await store.read(pieceKey(row, piece))
      if (!found) throw new Error(`Piece ${piece} of the export ${row.id} is gone from the store.`)
      yield* found.stream
    }
  }
  return all()
}

export const removeFile = (store: BlobStore, row: BackgroundExportsTable) =>
  removePieces(store, row, piecesOf(row).length)

async function removePieces(store: BlobStore, attempt: Attempt, count: number) {
  for (let piece = 0; piece < count; piece++) await store.remove(pieceKey(attempt, piece))
}

export const keyOf = ({ map_id: mapId, id }: Pick<BackgroundExportsTable, 'map_id' | 'id'>): ExportKey => ({
  mapId,
  id,
})
