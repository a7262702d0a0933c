import type { Person } from '#domain/access/session.schema.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import type { ImportDraftFilesTable } from '../../database/tables.ts'
import { pieceKeys, receivePiece, removePieces } from '../../uploads/receive-piece.ts'
import { beginStep } from './import-drafts.commands.ts'
import { type DraftKey, readDraftFiles, updateDraftFile } from './import-drafts.queries.ts'

type FileKey = DraftKey & { index: number }

const keyPrefixOf = ({ mapId, id, index }: FileKey) => `${mapId}/imports/${id}.${index}`

export const draftPieceKeys = (file: FileKey, lengths: readonly number[]) =>
  pieceKeys(keyPrefixOf(file), lengths)

type Piece = FileKey & { person: Person; offset: number; bytes: Uint8Array }

export async function receiveDraftPiece(
  { database, store }: { database: Database; store: BlobStore },
  { mapId, id, index, person, ...piece }: Piece,
): Promise<void> {
  const key = { mapId, id }
  const upload = {
    keyPrefix: keyPrefixOf({ ...key, index }),
    read: async () => (await readDraftFiles(database.read, key))[index],
    record: (file: ImportDraftFilesTable, progress: Pick<ImportDraftFilesTable, 'received' | 'pieces'>) =>
      database.write(async (transaction) => {
        if (!(await updateDraftFile(transaction, file, progress))) return false
        const files = await readDraftFiles(transaction, key)
        if (files.every(({ received, size }) => received === size))
          await beginStep(transaction, { key, step: 'examining', person })
        return true
      }),
  }
  await receivePiece(store, upload, piece)
}

export async function removeDraftPieces(store: BlobStore, files: readonly ImportDraftFilesTable[]) {
  for (const file of files) {
    const { map_id: mapId, draft_id: id, list_order: index } = file
    await removePieces(store, keyPrefixOf({ mapId, id, index }), file)
  }
}
