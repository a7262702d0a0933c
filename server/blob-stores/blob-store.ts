import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, opendir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

// Where large bytes are kept: what is named by rows of the database, and nothing else. Whatever is written has a row
// before, so that nothing is ever left behind that nobody knows of.

export type BlobStore = {
  /** The folder or the address, for its operator. */
  readonly place: string
  /** All of it is there afterwards, also after a power cut; or nothing is. What has the key already is replaced. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Undefined where nothing has the key. */
  read(key: string): Promise<{ size: number; stream: Readable } | undefined>
  /** Bytes; undefined where nothing has the key. */
  sizeOf(key: string): Promise<number | undefined>
  /** With what an interrupted `put` has left of it. Nothing is no fault. */
  remove(key: string): Promise<void>
  /** Everything that is there; `key` also of what is not there as a whole. */
  list(): AsyncIterable<{ key: string; changedAt: number }>
  /** Why it does not work at present, in words for its operator; null where it does. */
  findFault(): Promise<string | null>
}

/**
 * By its content: the same bytes are there once. Each map has its own, so that nobody learns from a hash whether another
 * association has the same, and what a map takes and loses is decided by its own rows.
 */
export const blobKey = (mapId: string, sha256: string) =>
  `${mapId}/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`

/** The id of the store, which its database has as well. */
export const storeIdKey = 'store-id'

/** The whole bytes of a key; undefined where nothing has it. */
export async function readBytes(store: BlobStore, key: string): Promise<Buffer | undefined> {
  const found = await store.read(key)
  return found && buffer(found.stream)
}

const partialEnd = '.partial'

/** The store in a folder of the disk. */
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
      // Whoever removes the key meanwhile removes what is being written, too: then it is written once more.
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
      return bavail * bsize < roomyBytes ? 'its disk is full' : null
    },
  }
}

/** Less room than this is a full disk: the parts of an upload are larger. */
const roomyBytes = 2 ** 20

/** The folder, or the first above it that exists. */
async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found || dirname(path) === path ? path : existingFolder(dirname(path))
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** With the names of all that it had to make on the disk, too. */
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

/** False where somebody else has removed it before it got its name. */
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
    // Node names no path for a write that found the disk full.
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

/** Writes the names in a folder to the disk, so that a new file survives a power cut. */
export async function syncFolder(path: string) {
  // Windows opens no folders.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync()
  await folder.close()
}
