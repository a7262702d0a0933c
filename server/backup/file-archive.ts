import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { extract, type Pack, pack } from 'tar-stream'
import { type BlobStore, blobKey, readBytes } from '../blob-store.ts'
import { BackupError } from './backup-error.ts'
import { type WriteOptions, writeWhole } from './write-file.ts'

// Photos and documents beside a backup: a tar archive that any program can open. Each entry is called MAP/SHA-256, and what its
// bytes must be is said by its name. The last entry says how many there are, so that one that is cut off is noticed.

export type Blob = { mapId: string; sha256: string }

export const archiveOf = (backupPath: string) => `${backupPath}.files.tar`

const lastName = 'end.json'

/** How an archive and messages call it. */
export const blobName = ({ mapId, sha256 }: Blob) => `${mapId}/${sha256}`

export type ArchiveSummary<B extends Blob> = {
  files: number
  bytes: number
  /** What the store does not have, or not as it was. */
  missing: B[]
}

/** Writes what the store has of the blobs. In memory is one of them at a time. */
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

/** Resolves when there is room for more. */
const addEntry = (archive: Pack, name: string, bytes: Buffer) =>
  new Promise<void>((resolve, reject) => {
    archive.entry({ name, size: bytes.length, mode: 0o600 }, bytes, (error) =>
      error ? reject(error) : resolve(),
    )
  })

/**
 * Reads an archive to its end and checks all of it; throws a BackupError that says what is wrong. What `onBlob` was given
 * before is as its name says. Returns the names of all that is in it.
 */
export async function readFileArchive(
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
      if (size > mostBytes) throw new BackupError(`${name} in it is no file of this program`)
      const bytes = await buffer(entry)
      if (name === lastName) {
        expected = countIn(bytes)
        continue
      }
      const [, mapId, sha256] = /^([a-z0-9-]+)\/([0-9a-f]{64})$/.exec(name) ?? []
      if (mapId === undefined || sha256 === undefined)
        throw new BackupError(`${name} in it is no file of this program`)
      if (sha256Of(bytes) !== sha256)
        throw new BackupError(`it was damaged or altered: ${name} in it is not what it was`)
      names.add(name)
      await onBlob({ mapId, sha256 }, bytes)
    }
  } catch (error) {
    if (error instanceof BackupError || !isOfTar.test((error as Error).message)) throw error
    throw new BackupError(`it was damaged, cut off, or is no archive of files (${(error as Error).message})`)
  } finally {
    source.destroy()
  }
  if (expected !== names.size) throw new BackupError('it is cut off: its end is missing')
  return names
}

const mostNamed = 20

/** '2 files are missing: oak-hills/…, oak-hills/…' */
export function sayBlobs(blobs: readonly Blob[]): string {
  const names = blobs.slice(0, mostNamed).map(blobName)
  const more = blobs.length > mostNamed ? ` and ${blobs.length - mostNamed} more` : ''
  const count = blobs.length === 1 ? '1 file is' : `${blobs.length.toLocaleString('en-US')} files are`
  return `${count} missing: ${names.join(', ')}${more}`
}

/** Of a photo that is taken; more would only fill the memory. */
const mostBytes = 64 * 1024 * 1024

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
  if (!found.isFile()) throw new BackupError('is no file')
}

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
