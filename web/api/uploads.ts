import { maxPieceBytes } from '#domain/files/piece-size.ts'
import { createStore } from '#web/ui/external-store.ts'
import { isServerAway, onReturn } from './connection.ts'
import { RequestError } from './http.ts'
import { announceByLink, type PhotosByLink, sendPieceByLink } from './photos-by-link.api.ts'

// Uploads of files in pieces, whose size adapts to the connection. Lost pieces are sent again.

export type UploadItem = {
  id: string
  /** Bytes. */
  size: number
  sent: number
  state: 'waiting' | 'sending' | 'examined' | 'offline' | 'failed'
  reason: string
}

type Pieces<State> = {
  bytes: Blob
  /** Bytes that the server has; null if it has all. */
  receivedOf(state: State): number | null
  send(offset: number, piece: Blob): Promise<State>
  onPiece(received: number, isLast: boolean): void
}

const firstPieceBytes = 256 * 1024
const leastPieceBytes = 32 * 1024
/** Pieces that take less are doubled, pieces that take longer are halved. */
const [quickMs, slowMs] = [1_000, 2_500]
const pauseMs = 2_000

/** `mayTryAgain` resolves when a failed upload should be tried again, or rejects to give up. */
export function createUploads<Item extends UploadItem>(mayTryAgain = serverMayBeBack) {
  const { get, set, use } = createStore<readonly Item[]>([])
  let pieceBytes = firstPieceBytes
  const halvePieces = () => {
    pieceBytes = Math.max(leastPieceBytes, pieceBytes / 2)
  }
  const has = (id: string) => get().some((item) => item.id === id)
  const change = (id: string, values: Partial<Item> | Partial<UploadItem>) =>
    set(get().map((item) => (item.id === id ? { ...item, ...values } : item)))

  return {
    get,
    use,
    change,
    add: (item: Item) => set([...get(), item]),
    remove: (id: string) => set(get().filter((item) => item.id !== id)),
    clear: () => set([]),
    areUnderWay: () => get().some(({ state }) => state !== 'failed'),

    /** Retries temporary failures. Returns null if the upload was removed or failed. */
    async run<Result>(
      id: string,
      upload: () => Promise<Result | null>,
      failure: (error: unknown) => Partial<Item> & { reason: string },
    ): Promise<Result | null> {
      while (has(id)) {
        try {
          return await upload()
        } catch (error) {
          if (!isTemporary(error)) {
            change(id, { ...failure(error), state: 'failed' })
            return null
          }
          halvePieces()
          change(id, { state: 'offline' })
          await mayTryAgain()
        }
      }
      return null
    },

    /** Returns the last state, or null if the upload was removed. */
    async sendPieces<State>(id: string, initial: State, pieces: Pieces<State>): Promise<State | null> {
      const { bytes, receivedOf, send, onPiece } = pieces
      let state = initial
      for (let received = receivedOf(state); received !== null; received = receivedOf(state)) {
        if (!has(id)) return null
        // The last byte is sent again until the server confirms the whole file.
        const offset = Math.min(received, bytes.size - 1)
        const end = Math.min(bytes.size, offset + pieceBytes)
        onPiece(received, end === bytes.size)
        const start = performance.now()
        state = await send(offset, bytes.slice(offset, end))
        const took = performance.now() - start
        if (end < bytes.size && took < quickMs) pieceBytes = Math.min(maxPieceBytes, pieceBytes * 2)
        if (took > slowMs) halvePieces()
      }
      return state
    },

    /** `id` is that of the upload, which may have many photos. Returns as `sendPieces`. */
    async sendPhoto(
      id: string,
      { id: photoId, file: bytes }: { id: string; file: Blob },
      link: PhotosByLink,
    ) {
      return this.sendPieces(id, await announceByLink(link, { id: photoId, size: bytes.size }), {
        bytes,
        receivedOf: ({ file, received }) => (file ? null : received),
        send: (offset, piece) => sendPieceByLink(link, photoId, offset, piece),
        onPiece: (sent) => change(id, { state: 'sending', sent }),
      })
    },
  }
}

type Uploads = ReturnType<typeof createUploads<UploadItem>>

/** Runs an upload that is not listed. Returns why it failed, or null. */
export async function runUnlisted(uploads: Uploads, id: string, upload: () => Promise<unknown>) {
  uploads.add({ id, size: 0, sent: 0, state: 'waiting', reason: '' })
  try {
    await uploads.run(id, upload, (error) => ({ reason: (error as Error).message }))
    return uploads.get().find((item) => item.id === id && item.state === 'failed')?.reason ?? null
  } finally {
    uploads.remove(id)
  }
}

const isTemporary = (error: unknown) =>
  error instanceof RequestError && [0, 408, 409, 429, 502, 503, 504].includes(error.status)

export function serverMayBeBack(): Promise<void> {
  return new Promise((resolve) => {
    const proceed = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(() => !isServerAway() && proceed(), pauseMs)
    const stop = onReturn(proceed)
  })
}
