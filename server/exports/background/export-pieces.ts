import { open } from 'node:fs/promises'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { BackgroundExportsTable } from '../../database/tables.ts'
import { type ExportKey, piecesOf } from '../background-exports.queries.ts'

// The store accepts only whole blobs: a file of a gigabyte is stored in pieces, so that only one of them is
// in memory.

const pieceBytes = 8_000_000

type Attempt = Pick<BackgroundExportsTable, 'map_id' | 'id' | 'attempt'>

/** Cleanup of the store removes the pieces of a killed server after the row is deleted. */
const pieceKey = ({ map_id, id, attempt }: Attempt, piece: number) =>
  `${map_id}/exports/${id}.${attempt}.${piece}`

/** Stores a file completely or not at all. Returns the length of each piece in bytes. */
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

export async function readFile(
  store: BlobStore,
  row: BackgroundExportsTable,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  if ((await store.sizeOf(pieceKey(row, 0))) === undefined) return undefined
  async function* all() {
    for (const piece of piecesOf(row).keys()) {
      const found = await store.read(pieceKey(row, piece))
      if (!found) throw new Error(`Piece ${piece} of the export ${row.id} is missing in the store.`)
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
