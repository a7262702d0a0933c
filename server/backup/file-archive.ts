import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { extract, type Pack, pack } from 'tar-stream'
import { counted, plural } from '#domain/values/wording.ts'
import { type BlobStore, blobKey, readBytes } from '../blob-stores/blob-store.ts'
import type { ReadDatabase } from '../database/database.ts'
import { readBlobs, type StoredBlob } from './backup.queries.ts'
import { BackupError } from './backup-format.ts'
import { type WriteOptions, writeWhole } from './write-file.ts'

// Tar archive of the photos and documents of a backup. Entries are named MAP/SHA-256. The last one has the
// number of entries.

type Blob = { mapId: string; sha256: string }

export const archiveOf = (backupPath: string) => `${backupPath}.files.tar`

const lastName = 'end.json'

const blobName = ({ mapId, sha256 }: Blob) => `${mapId}/${sha256}`

type ArchiveSummary<B extends Blob> = {
  files: number
  bytes: number
  missing: B[]
}

export async function writeFileArchive<B extends Blob>(
  path: string,
  blobs: readonly B[],
  store: BlobStore,
  options: WriteOptions,
): Promise<ArchiveSummary<B>> {
  const summary: ArchiveSummary<B> = { files: 0, bytes: 0, missing: [] }
  const archive = pack()
  async function fill() {
    for (const blob of blobs) {
      options.signal?.throwIfAborted()
      const bytes = await readBytes(store, blobKey(blob.mapId, blob.sha256))
      if (!bytes || sha256Of(bytes) !== blob.sha256) {
        summary.missing.push(blob)
        continue
      }
      await addEntry(archive, blobName(blob), bytes)
      summary.files += 1
      summary.bytes += bytes.length
    }
    await addEntry(archive, lastName, Buffer.from(JSON.stringify({ files: summary.files })))
    archive.finalize()
  }
  await writeWhole(path, options, async (append) => {
    const filling = fill().catch((error: Error) => {
      archive.destroy(error)
      throw error
    })
    await Promise.all([filling, append(archive as unknown as AsyncIterable<Uint8Array>)])
  })
  return summary
}

const addEntry = (archive: Pack, name: string, bytes: Buffer) =>
  new Promise<void>((resolve, reject) => {
    archive.entry({ name, size: bytes.length, mode: 0o600 }, bytes, (error) =>
      error ? reject(error) : resolve(),
    )
  })

/** Throws a BackupError if the archive is invalid. Blobs passed to `onBlob` are already checked. */
async function readFileArchive(
  path: string,
  onBlob: (blob: Blob, bytes: Buffer) => Promise<void> = async () => {},
): Promise<Set<string>> {
  const names = new Set<string>()
  let expected: number | undefined
  await requireFile(path)
  const source = createReadStream(path)
  const archive = extract()
  source.on('error', (error) => archive.destroy(error))
  source.pipe(archive as unknown as NodeJS.WritableStream)
  try {
    for await (const entry of archive) {
      const { name, size = 0 } = entry.header
      if (size > maxBytes) throw new BackupError(`${name} in it is not a file of this program`)
      const bytes = await buffer(entry)
      if (name === lastName) {
        expected = countIn(bytes)
        continue
      }
      const [, mapId, sha256] = /^([a-z0-9-]+)\/([0-9a-f]{64})$/.exec(name) ?? []
      if (mapId === undefined || sha256 === undefined)
        throw new BackupError(`${name} in it is not a file of this program`)
      if (sha256Of(bytes) !== sha256)
        throw new BackupError(`it is damaged or was modified: ${name} in it has changed`)
      names.add(name)
      await onBlob({ mapId, sha256 }, bytes)
    }
  } catch (error) {
    if (error instanceof BackupError || !isOfTar.test((error as Error).message)) throw error
    throw new BackupError(
      `it is damaged, incomplete, or not an archive of files (${(error as Error).message})`,
    )
  } finally {
    source.destroy()
  }
  if (expected !== names.size) throw new BackupError('it is incomplete: its end is missing')
  return names
}

const maxListed = 20

export function describeMissing(blobs: readonly Blob[]): string {
  const names = blobs.slice(0, maxListed).map(blobName)
  const more = blobs.length > maxListed ? ` and ${blobs.length - maxListed} more` : ''
  const count = `${counted(blobs.length, 'file')} ${plural(blobs.length, 'is', 'are')}`
  return `${count} missing: ${names.join(', ')}${more}`
}

/** More than the largest photo; limits the memory. */
const maxBytes = 64 * 1024 * 1024

const isOfTar = /tar|unexpected end|premature close/i

function countIn(bytes: Buffer): number | undefined {
  try {
    return JSON.parse(bytes.toString()).files
  } catch {
    return undefined
  }
}

async function requireFile(path: string) {
  const found = await stat(path).catch((error: Error) => {
    throw new BackupError(`cannot be read: ${error.message}`)
  })
  if (!found.isFile()) throw new BackupError('is not a file')
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export async function checkFiles(path: string): Promise<Set<string>> {
  return await readFileArchive(path).catch((error) => {
    if (!(error instanceof BackupError)) throw error
    throw new BackupError(`${path} cannot be restored: ${error.message}. Nothing was changed.`)
  })
}

/** Runs before the rows are committed. If the restore fails later, cleanup removes the files. */
export async function restoreFiles(
  { path, names, store }: { path: string; names: ReadonlySet<string>; store: BlobStore },
  transaction: ReadDatabase,
): Promise<number> {
  const stored = await readBlobs(transaction)
  const missing = stored.filter((blob) => blob.isUsed && !names.has(blobName(blob)))
  if (missing.length > 0)
    throw new BackupError(
      `${path} belongs to another backup, or is incomplete: ${describeMissing(missing)}. Nothing was changed.`,
    )
  const wanted = new Set(stored.map(blobName))
  let count = 0
  await readFileArchive(path, async (blob, bytes) => {
    if (!wanted.has(blobName(blob))) return
    await store.put(blobKey(blob.mapId, blob.sha256), bytes)
    count += 1
  })
  return count
}

export async function findMissing(read: ReadDatabase, store: BlobStore): Promise<StoredBlob[]> {
  const missing: StoredBlob[] = []
  for (const blob of await readBlobs(read)) {
    if (!blob.isUsed) continue
    const size = await store.sizeOf(blobKey(blob.mapId, blob.sha256))
    if (size !== blob.size) missing.push(blob)
  }
  return missing
}
