import { removedSince } from '#domain/features/history.schema.ts'
import { type BlobStore, blobKey, storeIdKey } from '../blob-stores/blob-store.ts'
import { lockMap } from '../clients/client-rows.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { readExport } from '../exports/background-exports.queries.ts'
import { isOfDraft } from '../imports/import-drafts.queries.ts'
import { deleteUnnamedBlob, forgetFiles, hasBlob, readUnnamedBlobs } from './files.queries.ts'
import { removeUpload } from './receive-upload.ts'
import { readOldUploads, readUpload } from './uploads.queries.ts'

const hourMs = 3_600_000
/** So long somebody may go on with an upload, and so old is whatever in the store nobody can be about to name. */
const uploadKeptMs = 24 * hourMs

/**
 * Forgets uploads that nobody went on with, files that were removed 30 days ago, and bytes that nothing has named for so long;
 * and what lies in the store without a row, as after a restore. Removing happens while the map is held: whoever is about
 * to name the same bytes waits, and then writes them anew.
 */
export async function removeUnusedFiles(database: Database, store: BlobStore, now: number): Promise<void> {
  for (const upload of await readOldUploads(database.read, now - uploadKeptMs))
    await removeUpload({ database, store }, upload)

  const before = removedSince(now)
  await database.write((transaction) => forgetFiles(transaction, before, now))
  for (const { map_id: mapId, sha256 } of await readUnnamedBlobs(database.read, before))
    await database.write(async (transaction) => {
      await lockMap(database, transaction, mapId)
      if (await deleteUnnamedBlob(transaction, mapId, sha256, before))
        await store.remove(blobKey(mapId, sha256))
    })

  for await (const { key, changedAt } of store.list()) {
    if (changedAt > now - uploadKeptMs) continue
    if (key === storeIdKey) continue
    const [mapId = '', ...rest] = key.split('/')
    const name = rest.at(-1) ?? ''
    await database.write(async (transaction) => {
      await lockMap(database, transaction, mapId)
      if (!(await isNamed(transaction, mapId, rest[0], name))) await store.remove(key)
    })
  }
}

/** Whether a row speaks of what lies there, in a folder of the map. */
async function isNamed(
  transaction: WriteTransaction,
  mapId: string,
  folder: string | undefined,
  name: string,
): Promise<boolean> {
  // An id has no dot; what follows one says which piece it is.
  const [id = ''] = name.split('.')
  if (folder === 'uploads') return (await readUpload(transaction, { mapId, id })) !== undefined
  if (folder === 'exports') return (await readExport(transaction, { mapId, id })) !== undefined
  if (folder === 'imports') return isOfDraft(transaction, mapId, name)
  return hasBlob(transaction, mapId, name)
}
