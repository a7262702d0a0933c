import type { PhotoArea } from '#domain/files/file.schema.ts'
import { RefusedError } from '../domain-error.ts'
import { type NoAnswer, runInChild } from '../processes/processes.ts'
import type { Taken } from './read-exif.ts'

export type MadePhoto = Taken & { large: Uint8Array; small: Uint8Array; width: number; height: number }
export type PhotoAnswer = { made: MadePhoto } | { refused: string }

/** The areas become black. */
export type PhotoOrder = { bytes: Uint8Array; areas: readonly PhotoArea[] }

export type PhotoMaker = {
  make(bytes: Uint8Array, areas?: readonly PhotoArea[]): Promise<MadePhoto>
  close(): void
}

const usualLimitMs = 15_000
const usualWorker = new URL('./photo.worker.ts', import.meta.url)

/** Each photo has its own child process: a decoder may hang or exhaust memory. Callers limit the concurrency. */
export function startPhotoMaker(timeLimitMs = usualLimitMs, worker = usualWorker): PhotoMaker {
  const closing = new AbortController()
  const limits = { signal: closing.signal, totalMs: timeLimitMs }
  function reasonOf(end: NoAnswer): string {
    if (end.ended === 'too long') return `took longer than ${timeLimitMs / 1000} seconds to read`
    if (end.ended === 'killed' && end.signal === 'SIGKILL')
      return 'needs too much memory to read. Save it as JPEG, or make it smaller'
    return 'could not be read. The photo reader stopped unexpectedly'
  }
  return {
    async make(bytes, areas = []) {
      const outcome = await runInChild<PhotoOrder, PhotoAnswer>(worker, { bytes, areas }, limits)
      const answer = 'answer' in outcome ? outcome.answer : { refused: reasonOf(outcome) }
      if ('made' in answer) return answer.made
      throw new RefusedError('file', answer.refused)
    },
    close: () => closing.abort(),
  }
}
