import { maxPieceBytes } from '#domain/files/file.schema.ts'
import { isServerAway, onReturn } from './connection.ts'
import { RequestError } from './http.ts'

// How bytes get to the server: in pieces, each as large as the line can take, and again where a piece got lost.

/** What takes longer than some seconds to come is cut off. */
const firstPieceBytes = 256 * 1024
const leastPieceBytes = 32 * 1024
const quickMs = 1_000
const slowMs = 2_500
const pauseMs = 2_000

let pieceBytes = firstPieceBytes

type Way<State> = {
  bytes: Blob
  /** How far it has come; null when there is nothing more to send. */
  receivedOf(state: State): number | null
  send(offset: number, piece: Blob): Promise<State>
  onPiece(received: number, isLast: boolean): void
  /** False when the person has let go of it. */
  isWanted(): boolean
}

/** Sends what is missing; null where nobody wants it any more. */
export async function sendInPieces<State>(known: State, way: Way<State>): Promise<State | null> {
  const { bytes, receivedOf, send, onPiece, isWanted } = way
  let state = known
  for (let received = receivedOf(state); received !== null; received = receivedOf(state)) {
    if (!isWanted()) return null
    const offset = Math.min(received, bytes.size - 1)
    const end = Math.min(bytes.size, offset + pieceBytes)
    onPiece(received, end === bytes.size)
    const start = performance.now()
    state = await send(offset, bytes.slice(offset, end))
    const took = performance.now() - start
    if (end < bytes.size && took < quickMs) pieceBytes = Math.min(maxPieceBytes, pieceBytes * 2)
    if (took > slowMs) pieceBytes = Math.max(leastPieceBytes, pieceBytes / 2)
  }
  return state
}

/** Does the work again as long as what stops it may pass; null where nobody wants it any more. */
export async function untilItPasses<Result>(
  work: () => Promise<Result>,
  { isWanted, onPause }: { isWanted(): boolean; onPause(): void },
): Promise<Result | null> {
  while (isWanted()) {
    try {
      return await work()
    } catch (error) {
      if (!mayPass(error)) throw error
      pieceBytes = Math.max(leastPieceBytes, pieceBytes / 2)
      onPause()
      await theServer()
    }
  }
  return null
}

/** No answer, too slow, further than we thought, too many, or the server's own trouble. */
const mayPass = (error: unknown) =>
  error instanceof RequestError && [0, 408, 409, 429, 502, 503, 504].includes(error.status)

/** Resolves when the server may be there again. */
function theServer(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      window.clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = window.setTimeout(() => !isServerAway() && go(), pauseMs)
    const stop = onReturn(go)
  })
}
