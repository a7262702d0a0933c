import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { syncFolder } from '../blob-stores/blob-store.ts'
import { BackupError } from './backup-format.ts'

/** The file contains personal data. */
const ownerOnly = 0o600

/** Almost the size of the default level in half the time. */
const compressionLevel = 4

export type WriteOptions = { isForced: boolean; signal?: AbortSignal }

export function writeGzipFile(path: string, texts: AsyncIterable<string>, options: WriteOptions) {
  const { signal } = options
  return writeWhole(path, options, (append) => {
    const compress = createGzip({ level: compressionLevel, chunkSize: 2 ** 18 })
    return pipeline(Readable.from(texts), compress, append, { signal })
  })
}

/** Writes a file completely or not at all: under a temporary name, renamed after it is synced to disk. */
export async function writeWhole(
  path: string,
  { isForced, signal }: WriteOptions,
  write: (append: (chunks: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<void>,
) {
  refuseExisting(path, isForced)
  const partial = `${path}.${randomUUID().slice(0, 8)}.partial`
  const file = await openNew(partial)
  try {
    try {
      await write((chunks) => append(file, chunks))
      await file.sync()
    } finally {
      await file.close()
    }
    refuseExisting(path, isForced)
    await rename(partial, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(partial, { force: true })
    throw signal?.aborted ? signal.reason : error
  }
}

async function append(file: FileHandle, chunks: AsyncIterable<Uint8Array>) {
  for await (const chunk of chunks) await file.writeFile(chunk)
}

function refuseExisting(path: string, isForced: boolean) {
  if (!isForced && existsSync(path))
    throw new BackupError(`${path} exists already. Choose another name, or --force to replace it.`)
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', ownerOnly)
  } catch (error) {
    throw new BackupError(`${dirname(path)} cannot be written to: ${(error as Error).message}`)
  }
}
