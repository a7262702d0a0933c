import { maxPieces } from '#domain/files/file.schema.ts'
import type { BlobStore } from '../blob-stores/blob-store.ts'
import { ConflictError, NotFoundError, RefusedError } from '../domain-error.ts'

// Receives files in pieces of any size, in order. A piece may be sent again at any time, so that a client can
// resume after a network failure or a restart of the server. A row counts the received bytes.

export type UploadProgress = { size: number; received: number; pieces: string }

type Upload<Row> = {
  keyPrefix: string
  read(): Promise<Row | undefined>
  record(row: Row, progress: Pick<UploadProgress, 'received' | 'pieces'>): Promise<boolean>
}

type Piece = { offset: number; bytes: Uint8Array }

/**
 * Stores a piece and returns the updated row. Throws a ConflictError that names the offset at which the
 * client must continue. The row must exist before, so that cleanup finds the pieces of a killed server.
 */
export async function receivePiece<Row extends UploadProgress>(
  store: BlobStore,
  { keyPrefix, read, record }: Upload<Row>,
  { offset, bytes }: Piece,
): Promise<Row> {
  const row = await read()
  if (!row) throw isMissing()
  const until = offset + bytes.length
  if (until <= row.received) return row
  if (offset !== row.received) throw continueAt(row.received)
  if (until > row.size)
    throw new RefusedError('offset', `the file would exceed its size of ${row.size} bytes`)
  const lengths = lengthsOf(row)
  if (lengths.length >= maxPieces)
    throw new RefusedError('offset', `a file can have at most ${maxPieces} pieces`)
  const key = pieceKey(keyPrefix, lengths.length, bytes.length)
  await store.put(key, bytes)
  const progress = { received: until, pieces: JSON.stringify([...lengths, bytes.length]) }
  if (await record(row, progress)) return { ...row, ...progress }
  const current = await read()
  if (current && lengthsOf(current)[lengths.length] === bytes.length) return current
  await store.remove(key)
  throw current ? continueAt(current.received) : isMissing()
}

/** A resent piece of another length has another key, and never replaces one. */
export const pieceKeys = (keyPrefix: string, lengths: readonly number[]) =>
  lengths.map((length, piece) => pieceKey(keyPrefix, piece, length))

export async function removePieces(store: BlobStore, keyPrefix: string, row: UploadProgress) {
  for (const key of pieceKeys(keyPrefix, lengthsOf(row))) await store.remove(key)
}

export const lengthsOf = ({ pieces }: Pick<UploadProgress, 'pieces'>): number[] => JSON.parse(pieces)

const pieceKey = (keyPrefix: string, piece: number, length: number) => `${keyPrefix}.${piece}.${length}`

export const continueAt = (received: number) => new ConflictError(`Continue at byte ${received}.`)

const isMissing = () => new NotFoundError('Upload not found. Start again.')
