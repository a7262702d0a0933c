import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, opendir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

// Stores large values (blobs) that database rows refer to. The row is written before the blob, so that
// cleanup finds every blob.

export type BlobStore = {
  readonly place: string
  /** Stores the blob durably and completely, or not at all. Replaces a blob with the same key. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Returns undefined if the key does not exist. */
  read(key: string): Promise<{ size: number; stream: Readable } | undefined>
  sizeOf(key: string): Promise<number | undefined>
  remove(key: string): Promise<void>
  list(): AsyncIterable<{ key: string; changedAt: number }>
  /** Returns the reason for the operator why the store does not work, or null if it works. */
  findFault(): Promise<string | null>
}

/**
 * Derives the key from the content, so that equal bytes are stored once per map. Maps share no blobs:
 * otherwise a hash would reveal the files of other associations, and quotas would depend on other maps.
 */
export const blobKey = (mapId: string, sha256: string) =>
  `${mapId}/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`

export const storeIdKey = 'store-id'

export async function readBytes(store: BlobStore, key: string): Promise<Buffer | undefined> {
  const found = await store.read(key)
  return found && buffer(found.stream)
}

const partialEnd = '.partial'

export function openDiskStore(folder: string): BlobStore {
  const pathOf = (key: string) => join(folder, ...key.split('/'))
  const sizeOf = async (key: string) => {
    try {
      return (await stat(pathOf(key))).size
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
  return {
    place: folder,
    sizeOf,
    async put(key, bytes) {
      const path = pathOf(key)
      await makeFolder(dirname(path))
      // A concurrent remove() may delete our partial file; retry until the rename succeeds.
      while (!(await writeInto(path, bytes)));
      await syncFolder(dirname(path))
    },
    async read(key) {
      const size = await sizeOf(key)
      return size === undefined ? undefined : { size, stream: createReadStream(pathOf(key)) }
    },
    async remove(key) {
      const path = pathOf(key)
      const begin = `${basename(path)}.`
      const names = await readdir(dirname(path)).catch((error) => {
        if (isMissing(error)) return []
        throw error
      })
      const partials = names.filter((name) => name.startsWith(begin) && name.endsWith(partialEnd))
      for (const name of [basename(path), ...partials]) await rm(join(dirname(path), name), { force: true })
    },
    async *list() {
      for await (const path of filesIn(folder)) {
        const found = await stat(path).catch(() => undefined)
        if (!found) continue
        const name = relative(folder, path).split(sep).join('/')
        yield { key: name.replace(/\.[0-9a-f]{8}\.partial$/, ''), changedAt: found.mtimeMs }
      }
    },
    async findFault() {
      const { bavail, bsize } = await statfs(await existingFolder(folder))
      return bavail * bsize < leastFreeBytes ? 'its disk is full' : null
    },
  }
}

/** Larger than the parts of an upload: with less free space, the disk counts as full. */
const leastFreeBytes = 2 ** 20

async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found || dirname(path) === path ? path : existingFolder(dirname(path))
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

async function makeFolder(path: string) {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function* filesIn(folder: string): AsyncIterable<string> {
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) yield* filesIn(path)
      else yield path
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** Returns false if a concurrent remove() deleted the partial file. */
async function writeInto(path: string, bytes: Uint8Array): Promise<boolean> {
  const partial = `${path}.${randomUUID().slice(0, 8)}${partialEnd}`
  try {
    const file = await open(partial, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await rm(partial, { force: true })
    // Node omits the path if a write fails because the disk is full.
    if (error instanceof Error && !error.message.includes(partial)) error.message += ` (${partial})`
    throw error
  }
  try {
    await rename(partial, path)
    return true
  } catch (error) {
    await rm(partial, { force: true })
    if (isMissing(error)) return false
    throw error
  }
}

/** Syncs the entries of a folder to disk, so that a new file survives a power cut. */
export async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync()
  await folder.close()
}
