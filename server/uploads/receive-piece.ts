import { maxPieces } from '#domain/files/file.schema.ts'
import type { BlobStore } from '../blob-stores/blob-store.ts'
import { ConflictError, NotFoundError, RefusedError } from '../domain-error.ts'

// Files arrive in pieces of the sender's choice, one after the other. A piece may be sent again at any time, so that a sender
// can resume after a network failure or a restart of the server. A row counts the bytes that have arrived.

/** The columns of a row that describe an upload under way. `pieces` is a JSON array of the lengths of the pieces in order. */
export type UploadProgress = { size: number; received: number; pieces: string }

type Upload<Row> = {
  /** Beginning of the keys of the pieces in the store. */
  keyPrefix: string
  read(): Promise<Row | undefined>
  /** Updates the row unless another piece was recorded since it was read. Returns whether it did. */
  record(row: Row, progress: Pick<UploadProgress, 'received' | 'pieces'>): Promise<boolean>
}

type Piece = { offset: number; bytes: Uint8Array }

/**
 * Stores a piece and returns the row as it is then. Throws a ConflictError that names the offset at which the sender must
 * continue. The row must exist before, so that cleanup finds the pieces that a killed server leaves.
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
    throw new RefusedError('offset', `the file would exceed the announced ${row.size} bytes`)
  const lengths = lengthsOf(row)
  if (lengths.length >= maxPieces)
    throw new RefusedError('offset', `a file must consist of at most ${maxPieces} pieces`)
  const key = pieceKey(keyPrefix, lengths.length, bytes.length)
  await store.put(key, bytes)
  const progress = { received: until, pieces: JSON.stringify([...lengths, bytes.length]) }
  if (await record(row, progress)) return { ...row, ...progress }
  // A concurrent request was faster, maybe with the same piece.
  const current = await read()
  if (current && lengthsOf(current)[lengths.length] === bytes.length) return current
  await store.remove(key)
  throw current ? continueAt(current.received) : isMissing()
}

/** Returns the keys of the pieces in order. A resent piece of another length has another key, and never replaces one. */
export const pieceKeys = (keyPrefix: string, lengths: readonly number[]) =>
  lengths.map((length, piece) => pieceKey(keyPrefix, piece, length))

export async function removePieces(store: BlobStore, keyPrefix: string, row: UploadProgress) {
  for (const key of pieceKeys(keyPrefix, lengthsOf(row))) await store.remove(key)
}

export const lengthsOf = ({ pieces }: Pick<UploadProgress, 'pieces'>): number[] => JSON.parse(pieces)

const pieceKey = (keyPrefix: string, piece: number, length: number) => `${keyPrefix}.${piece}.${length}`

export const continueAt = (received: number) =>
  new ConflictError(`Continue at byte ${received}: the bytes before it have arrived.`)

const isMissing = () => new NotFoundError('There is no such upload. Start again.')
