import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isImportStep } from '#domain/imports/import-draft.schema.ts'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import type { Database } from '../../database/database.ts'
import { safeName } from '../conversion/unpack-zip.ts'
import type { ImportFile } from '../formats/read-records.ts'
import { ImportError } from '../import-error.ts'
import {
  type DraftKey,
  deleteDraft,
  readDraft,
  readDraftFiles,
  readDraftsBefore,
} from './import-drafts.queries.ts'
import { draftPieceKeys, removeDraftPieces } from './receive-files.ts'
import type { StepOrder } from './step-process.ts'

export const importsFolder = (dataDirectory: string) => join(dataDirectory, 'imports')

export const workingFolder = (dataDirectory: string, { mapId, id }: DraftKey) =>
  join(importsFolder(dataDirectory), mapId, id)

export const removeWorkingFolder = (dataDirectory: string, draft: DraftKey) =>
  rm(workingFolder(dataDirectory, draft), { recursive: true, force: true })

export async function writeFiles(
  store: BlobStore,
  dataDirectory: string,
  draft: DraftKey & Pick<StepOrder, 'files'>,
): Promise<ImportFile[]> {
  const folder = join(workingFolder(dataDirectory, draft), 'files')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const written: ImportFile[] = []
  for (const { index, name, size, pieces } of draft.files) {
    // Parts of one dataset find each other by their names.
    const safe = safeName(name)
    const isTaken = written.some(({ path }) => basename(path) === safe)
    const path = join(folder, isTaken ? `${written.length}-${safe}` : safe)
    if ((await sizeOf(path)) !== size) {
      const partial = `${path}.partial`
      const { mapId, id } = draft
      const keys = draftPieceKeys({ mapId, id, index }, pieces)
      await pipeline(Readable.from(bytesOf(store, keys)), createWriteStream(partial, { mode: 0o600 }))
      if ((await sizeOf(partial)) !== size) throw missingPart()
      await rename(partial, path)
    }
    written.push({ path, totalBytes: size })
  }
  return written
}

async function* bytesOf(store: BlobStore, keys: readonly string[]) {
  for (const key of keys) {
    const found = await store.read(key)
    if (!found) throw missingPart()
    yield* found.stream
  }
}

const missingPart = () => new ImportError('Part of the file is missing on the server. Upload the file again.')

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

// Results of a step are on the disk of the server that ran it. If the store is shared, they are also stored there in
// pieces, and other servers fetch them on first use.

type StepResult = 'sample' | 'trial'
const endings = { sample: 'geojson', trial: 'sqlite' } as const

type Attempt = DraftKey & Pick<StepOrder, 'attempt'>

const nameOf = (result: StepResult, attempt: number | null) => `${result}-${attempt}.${endings[result]}`

/** By attempt, so that results of other servers are not mixed up. */
export const resultPath = (dataDirectory: string, result: StepResult, { attempt, ...draft }: Attempt) =>
  join(workingFolder(dataDirectory, draft), nameOf(result, attempt))

export async function removeOldResults(
  dataDirectory: string,
  result: StepResult,
  draft: Attempt & Pick<StepOrder, 'shown'>,
) {
  const folder = workingFolder(dataDirectory, draft)
  // Partial copies from the store begin with the same name.
  const retained = [draft.attempt, draft.shown[result]].map((attempt) => nameOf(result, attempt))
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(`${result}-`) && !retained.some((one) => name.startsWith(one)))
      await rm(join(folder, name), { force: true })
}

const bytesOfPiece = 8 * 1024 ** 2

const keyOf = (result: StepResult, { mapId, id, attempt }: Attempt, piece: number) =>
  `${mapId}/imports/${id}.${result}.${attempt}.${piece}`

export async function shareResult(order: StepOrder, store: BlobStore, result: StepResult) {
  if (order.fileStore === null) return
  const path = resultPath(order.location.dataDirectory, result, order)
  let piece = 0
  for await (const bytes of createReadStream(path, { highWaterMark: bytesOfPiece }))
    await store.put(keyOf(result, order, piece++), bytes)
}

export async function findResult(
  { store, dataDirectory }: { store: BlobStore; dataDirectory: string },
  result: StepResult,
  draft: Attempt,
): Promise<string | undefined> {
  const path = resultPath(dataDirectory, result, draft)
  if ((await sizeOf(path)) !== undefined) return path
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
    // The import was finished and its folder removed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    await rm(partial, { force: true })
  }
}

const retainedMs = 30 * 86_400_000

type Places = { database: Database; store: BlobStore; dataDirectory: string }

/** Also deletes working folders on this machine whose drafts are deleted. */
export async function deleteOldDrafts({ database, store, dataDirectory }: Places, now: number) {
  for (const { map_id: mapId, id, state } of await readDraftsBefore(database.read, now - retainedMs)) {
    if (isImportStep(state)) continue
    const key = { mapId, id }
    const files = await readDraftFiles(database.read, key)
    await database.write((transaction) => deleteDraft(transaction, key))
    await removeDraftPieces(store, files)
  }
  const folder = importsFolder(dataDirectory)
  for (const mapId of await namesIn(folder))
    for (const id of await namesIn(join(folder, mapId)))
      if (!(await readDraft(database.read, { mapId, id })))
        await removeWorkingFolder(dataDirectory, { mapId, id })
}

const namesIn = (folder: string) => readdir(folder).catch(() => [])
