import { maxPieces } from '#domain/files/file.schema.ts'
import type { BlobStore } from '../../blob-store.ts'
import type { Database } from '../../database/database.ts'
import type { ImportDraftFilesTable } from '../../database/tables.ts'
import { ConflictError, NotFoundError, RefusedError } from '../../domain-error.ts'
import { type DraftKey, readDraft, readDraftFiles, updateDraftFile } from '../import-drafts.queries.ts'
import { beginStep } from './import-drafts.commands.ts'

// Files come in pieces, each of which may come again. Each has a row before it is written to the store.

/** One piece of a file of a draft. */
export const draftPieceKey = (mapId: string, id: string, index: number, piece: number) =>
  `${mapId}/imports/${id}.${index}.${piece}`

type Piece = DraftKey & { index: number; offset: number; bytes: Uint8Array }

/** With the last byte of the last file the server begins to look at them. */
export async function receivePiece(
  { database, store }: { database: Database; store: BlobStore },
  { mapId, id, index, offset, bytes }: Piece,
): Promise<void> {
  const key = { mapId, id }
  const draft = await readDraft(database.read, key)
  const file = (await readDraftFiles(database.read, key))[index]
  if (!draft || !file) throw new NotFoundError(`Map ${mapId} has no file ${index} of an import ${id}.`)
  const until = offset + bytes.length
  // It came already.
  if (until <= file.received) return
  const pieces: number[] = JSON.parse(file.pieces)
  refuseGap(file, offset, until, pieces)
  await store.put(draftPieceKey(mapId, id, index, pieces.length), bytes)
  const columns = { received: until, pieces: JSON.stringify([...pieces, bytes.length]) }
  await database.write(async (transaction) => {
    if (!(await updateDraftFile(transaction, file, columns)))
      throw new ConflictError('This file goes on elsewhere. Ask how far it has come.')
    const files = await readDraftFiles(transaction, key)
    if (files.every(({ received, size }) => received === size)) await beginStep(transaction, key, 'examining')
  })
}

function refuseGap(
  { received, size }: ImportDraftFilesTable,
  offset: number,
  until: number,
  pieces: number[],
) {
  if (offset !== received) throw new ConflictError(`Go on at byte ${received}: that is how far it came.`)
  if (until > size)
    throw new RefusedError('offset', `there are more bytes than the ${size} that were announced`)
  if (pieces.length >= maxPieces)
    throw new RefusedError('offset', `a file comes in at most ${maxPieces} pieces`)
}

/** The pieces go first: as long as one is there, its row is. */
export async function removePieces(store: BlobStore, files: readonly ImportDraftFilesTable[]) {
  for (const { map_id: mapId, draft_id: id, list_order, pieces } of files) {
    // One more may be there that was not noted.
    const count = JSON.parse(pieces).length + 1
    for (let piece = 0; piece < count; piece++)
      await store.remove(draftPieceKey(mapId, id, list_order, piece))
  }
}
