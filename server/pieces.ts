import { maxPieces } from '#domain/files/file.schema.ts'
import { ConflictError, RefusedError } from './domain-error.ts'

// Files come in pieces, each behind the one before, and each may come again.

/** As the row of a file has it; `pieces` is JSON, the bytes of each in their order. */
export type Received = { size: number; received: number; pieces: string }

type NextPiece = { piece: number; now: Pick<Received, 'received' | 'pieces'> }

/** Which piece this is, and what the row says when it is taken; null where it came already. */
export function nextPiece(known: Received, offset: number, length: number): NextPiece | null {
  const until = offset + length
  if (until <= known.received) return null
  if (offset !== known.received) throw goOnAt(known.received)
  if (until > known.size)
    throw new RefusedError('offset', `there are more bytes than the ${known.size} that were announced`)
  const pieces: number[] = JSON.parse(known.pieces)
  if (pieces.length >= maxPieces)
    throw new RefusedError('offset', `a file comes in at most ${maxPieces} pieces`)
  return { piece: pieces.length, now: { received: until, pieces: JSON.stringify([...pieces, length]) } }
}

export const goOnAt = (received: number) =>
  new ConflictError(`Go on at byte ${received}: that is how far it came.`)
