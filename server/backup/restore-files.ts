import { type BlobStore, blobKey } from '../blob-store.ts'
import type { ReadDatabase } from '../database/database.ts'
import { BackupError } from './backup-error.ts'
import { type KnownBlob, readBlobs } from './blobs.queries.ts'
import { blobName, readFileArchive, sayBlobs } from './file-archive.ts'

/** Checks all of an archive before anything is changed. Returns the names of what is in it. */
export async function checkFiles(path: string): Promise<Set<string>> {
  return await readFileArchive(path).catch((error) => {
    if (!(error instanceof BackupError)) throw error
    throw new BackupError(`${path} cannot be restored: ${error.message}. Nothing was changed.`)
  })
}

/**
 * Puts the files of an archive into the store, before the rows that name them are there for others. What is not named by rows
 * then, as where the restore fails behind this, the server's upkeep takes away after a day.
 */
export async function putFiles(
  { path, names, store }: { path: string; names: ReadonlySet<string>; store: BlobStore },
  transaction: ReadDatabase,
): Promise<number> {
  const known = await readBlobs(transaction)
  const missing = known.filter((blob) => blob.isNamed && !names.has(blobName(blob)))
  if (missing.length > 0)
    throw new BackupError(
      `${path} belongs to another backup, or was not whole when it was made: ${sayBlobs(missing)}. Nothing was changed.`,
    )
  const wanted = new Set(known.map(blobName))
  let count = 0
  await readFileArchive(path, async (blob, bytes) => {
    if (!wanted.has(blobName(blob))) return
    await store.put(blobKey(blob.mapId, blob.sha256), bytes)
    count += 1
  })
  return count
}

/** What files name and the store does not have. */
export async function findMissing(read: ReadDatabase, store: BlobStore): Promise<KnownBlob[]> {
  const missing: KnownBlob[] = []
  for (const blob of await readBlobs(read)) {
    if (!blob.isNamed) continue
    const size = await store.sizeOf(blobKey(blob.mapId, blob.sha256))
    if (size !== blob.size) missing.push(blob)
  }
  return missing
}
