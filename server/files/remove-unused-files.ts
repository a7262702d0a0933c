import { removedSince } from '#domain/features/history.schema.ts'
import { type BlobStore, blobKey, storeIdKey } from '../blob-stores/blob-store.ts'
import { lockMap } from '../clients/client-rows.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { readExport } from '../exports/background-exports.queries.ts'
import { isPieceOfDraft } from '../imports/drafts/import-drafts.queries.ts'
import { deleteUnnamedBlob, forgetFiles, hasBlob, readUnnamedBlobs } from './files.queries.ts'
import { removeUpload } from './receive-upload.ts'
import { readOldUploads, readUpload } from './uploads.queries.ts'

const hourMs = 3_600_000
/** How long an upload can be resumed. An older blob without a row cannot belong to a pending request. */
const uploadRetentionMs = 24 * hourMs

/**
 * Deletes abandoned uploads, files removed 30 days ago, blobs unused for 30 days, and blobs without a row, as
 * after a restore. Locks the map meanwhile: a concurrent upload of the same bytes waits, and then writes them
 * again.
 */
export async function removeUnusedFiles(database: Database, store: BlobStore, now: number): Promise<void> {
  for (const upload of await readOldUploads(database.read, { now, retentionMs: uploadRetentionMs }))
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
    if (changedAt > now - uploadRetentionMs) continue
    if (key === storeIdKey) continue
    const [mapId = '', ...rest] = key.split('/')
    const name = rest.at(-1) ?? ''
    await database.write(async (transaction) => {
      await lockMap(database, transaction, mapId)
      if (!(await isNamed(transaction, mapId, rest[0], name))) await store.remove(key)
    })
  }
}

async function isNamed(
  transaction: WriteTransaction,
  mapId: string,
  folder: string | undefined,
  name: string,
): Promise<boolean> {
  // Ids have no dot; the number of the piece follows one.
  const [id = ''] = name.split('.')
  if (folder === 'uploads') return (await readUpload(transaction, { mapId, id })) !== undefined
  if (folder === 'exports') return (await readExport(transaction, { mapId, id })) !== undefined
  if (folder === 'imports') return isPieceOfDraft(transaction, mapId, name)
  return hasBlob(transaction, mapId, name)
}
