import type { QueryClient } from '@tanstack/react-query'
import { type FileOfFeature, maxFileBytes } from '#domain/files/file.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { announceFile, newFileId, sendPiece } from '#web/api/files.api.ts'
import { RequestError } from '#web/api/http.ts'
import { sendInPieces, untilItPasses } from '#web/api/send-in-pieces.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

// Files on their way. They are sent one after the other, in pieces, wherever the person goes meanwhile; where the network is gone
// they wait, and go on by themselves from where they were.

export type Upload = {
  id: string
  mapId: string
  featureId: string
  /** The maintenance entry that it is for. */
  maintenanceId: string | null
  name: string
  size: number
  sent: number
  state: 'waiting' | 'sending' | 'examined' | 'offline' | 'failed'
  /** Why it failed. */
  reason: string
  /** False where the file itself was refused. */
  isWorthTrying: boolean
}

type Waiting = Upload & { bytes: File; client: QueryClient; onDone(file: FileOfFeature | null): void }

let uploads: readonly Waiting[] = []
let isWorking = false
const listeners = new Set<() => void>()

function set(changed: readonly Waiting[]) {
  uploads = changed
  for (const listener of listeners) listener()
}

const change = (id: string, values: Partial<Upload>) =>
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)))

/** The same list as long as nothing changes. */
export const currentUploads = (): readonly Upload[] => uploads

/** Returns how to stop. */
export function listenToUploads(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

addUnsavedWork({
  describe() {
    const count = uploads.filter(({ state }) => state !== 'failed').length
    if (count === 0) return null
    return count === 1 ? 'A file that is on its way' : `${count} files that are on their way`
  },
  isKept: false,
  discard: () => set([]),
})

type Target = { mapId: string; featureId: string; maintenanceId: string | null }

/** Sends files to a feature, or to an entry of its maintenance. Resolves, when none of them is on its way any more, to those that are there. */
export function sendFiles(
  client: QueryClient,
  target: Target,
  files: readonly File[],
): Promise<FileOfFeature[]> {
  const done = files.map(
    (bytes) =>
      new Promise<FileOfFeature | null>((onDone) => {
        const { name, size } = bytes
        const isTooLarge = size > maxFileBytes
        const upload: Waiting = {
          id: newFileId(),
          ...target,
          name,
          size,
          sent: 0,
          state: isTooLarge ? 'failed' : 'waiting',
          reason: isTooLarge
            ? `It has ${Math.ceil(size / 1024 ** 2)} MB; ${maxFileBytes / 1024 ** 2} are the most.`
            : '',
          isWorthTrying: false,
          bytes,
          client,
          onDone,
        }
        set([...uploads, upload])
        if (isTooLarge) onDone(null)
      }),
  )
  void workOff()
  return Promise.all(done).then((sent) => sent.filter((file) => file !== null))
}

export function dropUpload(id: string) {
  const dropped = uploads.find((upload) => upload.id === id)
  set(uploads.filter((upload) => upload.id !== id))
  dropped?.onDone(null)
}

export function sendAgain(id: string) {
  change(id, { state: 'waiting', reason: '' })
  void workOff()
}

const isStill = (id: string) => uploads.some((upload) => upload.id === id)

async function workOff() {
  if (isWorking) return
  isWorking = true
  for (let next = nextUpload(); next; next = nextUpload()) await send(next)
  isWorking = false
}

const nextUpload = () => uploads.find(({ state }) => state === 'waiting')

async function send(upload: Waiting) {
  const { id, mapId, featureId, client, onDone } = upload
  const isWanted = () => isStill(id)
  try {
    const file = await untilItPasses(() => sendAll(upload), {
      isWanted,
      onPause: () => change(id, { state: 'offline' }),
    })
    if (!file) return
    followChanges(client, [{ mapId, part: 'files', id: featureId, version: null }])
    set(uploads.filter((one) => one.id !== id))
    onDone(file)
  } catch (error) {
    change(id, { state: 'failed', reason: wordsOf(error), isWorthTrying: !isRefused(error) })
    onDone(null)
  }
}

/** Null where the person has let go of it meanwhile. */
async function sendAll(upload: Waiting): Promise<FileOfFeature | null> {
  const { id, mapId, featureId, maintenanceId, name, size, bytes } = upload
  const sha256 = await hashOf(bytes)
  const announced = { id, featureId, maintenanceId, name, size, ...(sha256 ? { sha256 } : {}) }
  const sent = await sendInPieces(await announceFile(mapId, announced), {
    bytes,
    receivedOf: ({ file, received }) => (file === null ? received : null),
    send: (offset, piece) => sendPiece(mapId, id, offset, piece),
    onPiece: (received, isLast) => change(id, { sent: received, state: isLast ? 'examined' : 'sending' }),
    isWanted: () => isStill(id),
  })
  return sent?.file ?? null
}

/** Browsers compute it only where the page is served securely; the server then goes by the number of bytes. */
async function hashOf(bytes: File): Promise<string | undefined> {
  if (!window.isSecureContext) return undefined
  const hash = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer())
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const isRefused = (error: unknown) => error instanceof RequestError && error.status === 400

function wordsOf(error: unknown): string {
  if (!(error instanceof RequestError)) return 'The file cannot be read any more: choose it again.'
  const [field] = error.fields
  return field?.name === 'file' ? `It ${field.message}.` : error.message
}
