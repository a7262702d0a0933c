import type { QueryClient } from '@tanstack/react-query'
import { type ImportDraft, maxImportFiles } from '#domain/imports/import-draft.schema.ts'
import { newFileId } from '#web/api/files.api.ts'
import {
  announceImport,
  forgetImport,
  importDraftsQuery,
  keepDraft,
  sendImportPiece,
} from '#web/api/imports.api.ts'
import { createUploads, type UploadItem } from '#web/api/uploads.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

// Uploads of the files of an import. To continue in another page, the user chooses the files again: only missing bytes
// are sent.

export type ImportUpload = UploadItem & {
  /** Bytes per second; null until it is known. */
  speed: number | null
}

const uploads = createUploads<ImportUpload>()

export const useImportUpload = (id: string) => uploads.use().find((upload) => upload.id === id)

const canceled = new Set<string>()

/** Canceled imports are not loaded again: their screen may take a moment to close. */
export const isCanceled = (id: string) => canceled.has(id)

export async function cancelUpload(client: QueryClient, mapId: string, id: string) {
  canceled.add(id)
  uploads.remove(id)
  // It fails if the import was never announced or the server is away: then the list offers to delete it.
  await forgetImport(mapId, id).catch(() => canceled.delete(id))
  void client.invalidateQueries({ queryKey: importDraftsQuery(mapId).queryKey })
}

addUnsavedWork({
  describe: () => (uploads.areUnderWay() ? 'Import upload in progress' : null),
  isStored: false,
  discard: uploads.clear,
})

const bytesOf = (files: readonly { size: number }[]) => files.reduce((sum, { size }) => sum + size, 0)

export function problemOfFiles(files: readonly File[], maxBytes: number | undefined): string | undefined {
  const size = bytesOf(files)
  if (files.length > maxImportFiles) return `Choose ${maxImportFiles} files or fewer.`
  const empty = files.find((file) => file.size === 0)
  if (empty) return `${empty.name} is empty.`
  if (maxBytes === undefined || size <= maxBytes) return undefined
  return `The files are ${Math.ceil(size / 1024 ** 2)} MB. The maximum is ${maxBytes / 1024 ** 2} MB.`
}

export function uploadFiles(client: QueryClient, mapId: string, files: readonly File[]): string {
  const id = newFileId()
  void send(client, mapId, id, files)
  return id
}

/** Returns false if these are other files. */
export function continueUpload(
  client: QueryClient,
  mapId: string,
  draft: ImportDraft,
  files: readonly File[],
): boolean {
  const matching = draft.files.flatMap(
    ({ name, size }) => files.find((file) => file.name === name && file.size === size) ?? [],
  )
  if (matching.length < draft.files.length || matching.length < files.length) return false
  void send(client, mapId, draft.id, matching)
  return true
}

async function send(client: QueryClient, mapId: string, id: string, files: readonly File[]) {
  canceled.delete(id)
  uploads.add({ id, size: bytesOf(files), sent: 0, speed: null, state: 'sending', reason: '' })
  const draft = await uploads.run(
    id,
    () => sendAll(mapId, id, files),
    (error) => ({ reason: (error as Error).message }),
  )
  if (!draft) return
  keepDraft(client, mapId, draft)
  uploads.remove(id)
}

async function sendAll(mapId: string, id: string, files: readonly File[]): Promise<ImportDraft | null> {
  const announced = files.map(({ name, size }) => ({ name, size }))
  let draft: ImportDraft | null = await announceImport(mapId, { id, files: announced })
  const [start, before] = [performance.now(), receivedOf(draft)]
  for (const [index, bytes] of files.entries()) {
    if (!draft) return null
    draft = await uploads.sendPieces<ImportDraft>(id, draft, {
      bytes,
      receivedOf({ files }) {
        const { received = 0, size = 0 } = files[index] ?? {}
        return received < size ? received : null
      },
      async send(offset, piece) {
        const state = await sendImportPiece(mapId, { id, index, offset }, piece)
        const sent = receivedOf(state)
        const speed = ((sent - before) * 1_000) / Math.max(1, performance.now() - start)
        uploads.change(id, { sent, speed })
        return state
      },
      onPiece: () => uploads.change(id, { state: 'sending' }),
    })
  }
  return draft
}

const receivedOf = ({ files }: ImportDraft) => files.reduce((sum, { received }) => sum + received, 0)
