import type { QueryClient } from '@tanstack/react-query'
import { type FileOfFeature, maxFileBytes } from '#domain/files/file.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import { announceFile, newFileId, sendPiece } from '#web/api/files.api.ts'
import { RequestError } from '#web/api/http.ts'
import { createUploads, type UploadItem } from '#web/api/uploads.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

type Target = {
  mapId: string
  featureId: string
  maintenanceId: string | null
}

export type Upload = UploadItem &
  Target & {
    name: string
    isWorthTrying: boolean
    bytes: File
    client: QueryClient
    onDone(file: FileOfFeature | null): void
  }

const uploads = createUploads<Upload>()
let isWorking = false

export const useUploads = uploads.use

addUnsavedWork({
  describe() {
    const count = uploads.get().filter(({ state }) => state !== 'failed').length
    if (count === 0) return null
    return `${counted(count, 'file')} uploading`
  },
  isStored: false,
  discard: uploads.clear,
})

/** Resolves to the files that the server has, when all uploads have ended. */
export async function sendFiles(
  client: QueryClient,
  target: Target,
  files: readonly File[],
): Promise<FileOfFeature[]> {
  const done = files.map(
    (bytes) =>
      new Promise<FileOfFeature | null>((onDone) => {
        const { name, size } = bytes
        const isTooLarge = size > maxFileBytes
        const sizes = `The file is ${Math.ceil(size / 1024 ** 2)} MB. The maximum is ${maxFileBytes / 1024 ** 2} MB.`
        uploads.add({
          ...target,
          ...{ id: newFileId(), name, size, sent: 0, isWorthTrying: false, bytes, client, onDone },
          ...(isTooLarge ? { state: 'failed', reason: sizes } : { state: 'waiting', reason: '' }),
        })
        if (isTooLarge) onDone(null)
      }),
  )
  void work()
  return (await Promise.all(done)).filter((file) => file !== null)
}

export function dropUpload(id: string) {
  const dropped = uploads.get().find((upload) => upload.id === id)
  uploads.remove(id)
  dropped?.onDone(null)
}

export function sendAgain(id: string) {
  uploads.change(id, { state: 'waiting', reason: '' })
  void work()
}

async function work() {
  if (isWorking) return
  isWorking = true
  const next = () => uploads.get().find(({ state }) => state === 'waiting')
  for (let upload = next(); upload; upload = next()) await send(upload)
  isWorking = false
}

async function send(upload: Upload) {
  const { id, mapId, featureId, client, onDone } = upload
  const file = await uploads.run(id, () => sendAll(upload), failureOf)
  if (file) {
    followChanges(client, [{ mapId, part: 'files', id: featureId, version: null }])
    uploads.remove(id)
  }
  onDone(file)
}

async function sendAll(upload: Upload): Promise<FileOfFeature | null> {
  const { id, mapId, featureId, maintenanceId, name, size, bytes } = upload
  const sha256 = await hashOf(bytes)
  const announced = { id, featureId, maintenanceId, name, size, ...(sha256 ? { sha256 } : {}) }
  const sent = await uploads.sendPieces(id, await announceFile(mapId, announced), {
    bytes,
    receivedOf: ({ file, received }) => (file === null ? received : null),
    send: (offset, piece) => sendPiece(mapId, id, offset, piece),
    onPiece: (received, isLast) =>
      uploads.change(id, { sent: received, state: isLast ? 'examined' : 'sending' }),
  })
  return sent?.file ?? null
}

/** Undefined over plain HTTP, where browsers compute no hashes: the server then compares the size. */
async function hashOf(bytes: File): Promise<string | undefined> {
  if (!window.isSecureContext) return undefined
  const hash = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer())
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function failureOf(error: unknown) {
  if (!(error instanceof RequestError))
    return { reason: 'Could not read the file. Choose it again.', isWorthTrying: true }
  const [field] = error.fields
  const reason = field?.name === 'file' ? `The file ${field.message}.` : error.message
  return { reason, isWorthTrying: error.status !== 400 }
}
