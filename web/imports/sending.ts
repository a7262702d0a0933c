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
import { sendInPieces, untilItPasses } from '#web/api/send-in-pieces.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'

// Files of imports on their way. They go on wherever the person goes on this page; who comes back later chooses them again,
// and only what is missing is sent.

export type Sending = {
  id: string
  /** Bytes of all files, and how many of them are there. */
  size: number
  sent: number
  /** Bytes a second, lately; null until it is known. */
  speed: number | null
  state: 'sending' | 'offline' | 'failed'
  reason: string
}

let all: readonly Sending[] = []
const listeners = new Set<() => void>()

function set(changed: readonly Sending[]) {
  all = changed
  for (const listener of listeners) listener()
}

const change = (id: string, values: Partial<Sending>) =>
  set(all.map((one) => (one.id === id ? { ...one, ...values } : one)))

/** The same list as long as nothing changes. */
export const currentSendings = (): readonly Sending[] => all

/** Returns how to stop. */
export function listenToSendings(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const isWanted = (id: string) => all.some((one) => one.id === id)

const end = (id: string) => set(all.filter((one) => one.id !== id))

const letGo = new Set<string>()

/** Nobody asks for it any more: the screen that shows it may take a moment to close. */
export const isLetGo = (id: string) => letGo.has(id)

/** Somebody has let go of it: what has come of it is forgotten. */
export async function stopSending(client: QueryClient, mapId: string, id: string) {
  letGo.add(id)
  end(id)
  // It may not have been announced, or the server may be away: then it stands in the list, and can be forgotten there.
  await forgetImport(mapId, id).catch(() => letGo.delete(id))
  void client.invalidateQueries({ queryKey: importDraftsQuery(mapId).queryKey })
}

addUnsavedWork({
  describe: () => (all.some(({ state }) => state !== 'failed') ? 'Files of an import on their way' : null),
  isKept: false,
  discard: () => set([]),
})

/** Why they cannot be brought, as far as the page knows how large they may be; undefined where they can. */
export function problemOfFiles(files: readonly File[], mostBytes: number | undefined): string | undefined {
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (files.length > maxImportFiles) return `At most ${maxImportFiles} files come together.`
  const empty = files.find((file) => file.size === 0)
  if (empty) return `${empty.name} is empty.`
  if (mostBytes === undefined || size <= mostBytes) return undefined
  return `These are ${Math.ceil(size / 1024 ** 2)} MB; ${mostBytes / 1024 ** 2} are the most.`
}

/** Brings files; returns the id of the draft that they become. */
export function bringFiles(client: QueryClient, mapId: string, files: readonly File[]): string {
  const id = newFileId()
  void send(client, mapId, id, files)
  return id
}

/** Goes on with a draft whose files have not come whole; false where these are other files. */
export function goOnWith(
  client: QueryClient,
  mapId: string,
  draft: ImportDraft,
  files: readonly File[],
): boolean {
  const named = draft.files.map(({ name, size }) =>
    files.find((file) => file.name === name && file.size === size),
  )
  const whole = named.filter((file) => file !== undefined)
  if (whole.length < named.length || whole.length < files.length) return false
  void send(client, mapId, draft.id, whole)
  return true
}

async function send(client: QueryClient, mapId: string, id: string, files: readonly File[]) {
  letGo.delete(id)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  set([...all, { id, size, sent: 0, speed: null, state: 'sending', reason: '' }])
  try {
    const draft = await untilItPasses(() => sendAll(mapId, id, files), {
      isWanted: () => isWanted(id),
      onPause: () => change(id, { state: 'offline' }),
    })
    if (draft) keepDraft(client, mapId, draft)
    end(id)
  } catch (error) {
    change(id, { state: 'failed', reason: (error as Error).message })
  }
}

async function sendAll(mapId: string, id: string, files: readonly File[]): Promise<ImportDraft | null> {
  const announced = files.map(({ name, size }) => ({ name, size }))
  let draft: ImportDraft | null = await announceImport(mapId, { id, files: announced })
  const meter = startMeter(receivedOf(draft))
  for (const [index, bytes] of files.entries()) {
    if (!draft) return null
    draft = await sendInPieces<ImportDraft>(draft, {
      bytes,
      receivedOf({ files }) {
        const { received = 0, size = 0 } = files[index] ?? {}
        return received < size ? received : null
      },
      send: async (offset, piece) => {
        const state = await sendImportPiece(mapId, { id, index, offset }, piece)
        const sent = receivedOf(state)
        change(id, { sent, speed: meter(sent) })
        return state
      },
      onPiece: () => change(id, { state: 'sending' }),
      isWanted: () => isWanted(id),
    })
  }
  return draft
}

const receivedOf = ({ files }: ImportDraft) => files.reduce((sum, { received }) => sum + received, 0)

/** Bytes a second since the start. */
function startMeter(before: number) {
  const start = performance.now()
  return (sent: number) => ((sent - before) * 1_000) / Math.max(1, performance.now() - start)
}
