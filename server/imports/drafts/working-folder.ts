import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '../../blob-stores/blob-store.ts'
import { safeName } from '../conversion/unpack-zip.ts'
import type { ImportFile } from '../formats/read-records.ts'
import { ImportError } from '../import-error.ts'
import { draftPieceKeys } from './receive-files.ts'
import type { StepOrder } from './step-process.ts'

export const importsFolder = (dataDirectory: string) => join(dataDirectory, 'imports')

/** Where a draft is worked on. What lies there can be made again from the pieces in the store. */
export const workingFolder = (dataDirectory: string, { mapId, id }: Pick<StepOrder, 'mapId' | 'id'>) =>
  join(importsFolder(dataDirectory), mapId, id)

/** What a step leaves to be looked at: the first rows as GeoJSON, and what a trial found. */
export type StepResult = 'sample' | 'trial'
const endings = { sample: 'geojson', trial: 'sqlite' } as const

/** Each attempt has its own: what another server has done since is not taken for it. */
export const resultPath = (
  dataDirectory: string,
  result: StepResult,
  { attempt, ...draft }: Pick<StepOrder, 'mapId' | 'id' | 'attempt'>,
) => join(workingFolder(dataDirectory, draft), `${result}-${attempt}.${endings[result]}`)

/** Removes what other attempts left, but for the one whose result is shown as long as there is no newer one. */
export async function removeOldResults(
  dataDirectory: string,
  result: StepResult,
  draft: Pick<StepOrder, 'mapId' | 'id' | 'attempt' | 'shown'>,
) {
  const folder = workingFolder(dataDirectory, draft)
  // What another server's is called while it is brought here begins alike.
  const kept = [draft.attempt, draft.shown[result]].map(
    (attempt) => `${result}-${attempt}.${endings[result]}`,
  )
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(`${result}-`) && !kept.some((one) => name.startsWith(one)))
      await rm(join(folder, name), { force: true })
}

/** The files of a draft as they were sent, on this machine. */
export async function bringFiles(
  store: BlobStore,
  dataDirectory: string,
  draft: Pick<StepOrder, 'mapId' | 'id' | 'files'>,
): Promise<ImportFile[]> {
  const folder = join(workingFolder(dataDirectory, draft), 'files')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const brought: ImportFile[] = []
  for (const { index, name, size, pieces } of draft.files) {
    const path = join(
      folder,
      nameFor(name, brought.length, new Set(brought.map(({ path }) => basename(path)))),
    )
    if ((await sizeOf(path)) !== size) {
      const partial = `${path}.partial`
      const { mapId, id } = draft
      const keys = draftPieceKeys({ mapId, id, index }, pieces)
      await pipeline(Readable.from(bytesOf(store, keys)), createWriteStream(partial, { mode: 0o600 }))
      if ((await sizeOf(partial)) !== size) throw isGone()
      await rename(partial, path)
    }
    brought.push({ path, totalBytes: size })
  }
  return brought
}

export const removeWorkingFolder = (dataDirectory: string, draft: Pick<StepOrder, 'mapId' | 'id'>) =>
  rm(workingFolder(dataDirectory, draft), { recursive: true, force: true })

/** Parts of one dataset are known by their names. */
function nameFor(name: string, index: number, taken: ReadonlySet<string>): string {
  const safe = safeName(name)
  return taken.has(safe) ? `${index}-${safe}` : safe
}

async function* bytesOf(store: BlobStore, keys: readonly string[]) {
  for (const key of keys) {
    const found = await store.read(key)
    if (!found) throw isGone()
    yield* found.stream
  }
}

const isGone = () => new ImportError('A part of the file is gone from the server: bring it again.')

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}
