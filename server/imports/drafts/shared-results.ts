import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { StepOrder } from './step-process.ts'
import { resultPath, type StepResult } from './working-folder.ts'

// What a step leaves to be looked at lies on the disk of the server that did it. Where files are kept in a store elsewhere other
// servers may be asked for it: so it is put there, too, in pieces, and each server brings it when it is asked first.

const bytesOfPiece = 8 * 1024 ** 2

type OfAttempt = Pick<StepOrder, 'mapId' | 'id' | 'attempt'>

const keyOf = (result: StepResult, { mapId, id, attempt }: OfAttempt, piece: number) =>
  `${mapId}/imports/${id}.${result}.${attempt}.${piece}`

export async function shareResult(order: StepOrder, store: BlobStore, result: StepResult) {
  if (order.fileStore === null) return
  const path = resultPath(order.location.dataDirectory, result, order)
  let piece = 0
  for await (const bytes of createReadStream(path, { highWaterMark: bytesOfPiece }))
    await store.put(keyOf(result, order, piece++), bytes)
}

/** The path of a result on this server; undefined where it is neither here nor in the store. */
export async function findResult(
  { store, dataDirectory }: { store: BlobStore; dataDirectory: string },
  result: StepResult,
  draft: OfAttempt,
): Promise<string | undefined> {
  const path = resultPath(dataDirectory, result, draft)
  if (await stat(path).catch(() => undefined)) return path
  const first = await store.read(keyOf(result, draft, 0))
  if (!first) return undefined
  async function* bytes() {
    for (let piece = 0, found = first; found; found = await store.read(keyOf(result, draft, ++piece)))
      yield* found.stream
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${randomUUID().slice(0, 8)}.partial`
  try {
    await pipeline(Readable.from(bytes()), createWriteStream(partial, { mode: 0o600 }))
    await rename(partial, path)
    return path
  } catch (error) {
    // Its import is done meanwhile, and nobody looks at it any more.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    await rm(partial, { force: true })
  }
}
