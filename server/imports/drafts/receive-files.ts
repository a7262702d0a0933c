import type { Person } from '#domain/access/session.schema.ts'
import type { BlobStore } from '../../blob-store.ts'
import type { Database } from '../../database/database.ts'
import type { ImportDraftFilesTable } from '../../database/tables.ts'
import { NotFoundError } from '../../domain-error.ts'
import { goOnAt, nextPiece } from '../../pieces.ts'
import { beginStep } from './import-drafts.commands.ts'
import { type DraftKey, readDraft, readDraftFiles, updateDraftFile } from './import-drafts.queries.ts'

// Files come in pieces, each of which may come again. What a killed server has written without a note of it goes when nothing
// speaks of the draft any more: the upkeep of the store sees to that.

type PieceName = DraftKey & { index: number; piece: number; length: number }

/**
 * One piece of a file of a draft. What is sent again may be cut elsewhere: a piece of another length is another one, and never
 * lies in the place of one that was taken.
 */
export const draftPieceKey = ({ mapId, id, index, piece, length }: PieceName) =>
  `${mapId}/imports/${id}.${index}.${piece}.${length}`

type Piece = DraftKey & { index: number; person: Person; offset: number; bytes: Uint8Array }

/** With the last byte of the last file the server begins to look at them. */
export async function receivePiece(
  { database, store }: { database: Database; store: BlobStore },
  { mapId, id, index, person, offset, bytes }: Piece,
): Promise<void> {
  const key = { mapId, id }
  const draft = await readDraft(database.read, key)
  const file = (await readDraftFiles(database.read, key))[index]
  if (!draft || !file) throw new NotFoundError(`Map ${mapId} has no file ${index} of an import ${id}.`)
  const next = nextPiece(file, offset, bytes.length)
  if (!next) return
  const name = draftPieceKey({ ...key, index, piece: next.piece, length: bytes.length })
  await store.put(name, bytes)
  const isTaken = await database.write(async (transaction) => {
    if (!(await updateDraftFile(transaction, file, next.now))) return false
    const files = await readDraftFiles(transaction, key)
    if (files.every(({ received, size }) => received === size))
      await beginStep(transaction, { key, step: 'examining', person })
    return true
  })
  if (isTaken) return
  // Another request was quicker: with the very same piece, perhaps.
  const present = (await readDraftFiles(database.read, key))[index]
  const taken: number[] = present ? JSON.parse(present.pieces) : []
  if (taken[next.piece] === bytes.length) return
  await store.remove(name)
  throw present
    ? goOnAt(present.received)
    : new NotFoundError(`Map ${mapId} has no import ${id}: begin anew.`)
}

export async function removePieces(store: BlobStore, files: readonly ImportDraftFilesTable[]) {
  for (const { map_id: mapId, draft_id: id, list_order: index, pieces } of files) {
    const lengths: number[] = JSON.parse(pieces)
    for (const [piece, length] of lengths.entries())
      await store.remove(draftPieceKey({ mapId, id, index, piece, length }))
  }
}
