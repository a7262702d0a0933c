import { sha256 } from '#domain/values/sha256.ts'

// Sending a report costs the browser a moment, and sending thousands costs hours. The page solves it without a schema
// library.

/** `bits` is 0 if the server asks for no work. */
export type Challenge = { challenge: string; bits: number }

export type Work = { challenge: string; nonce: number }

/** One hash. The id binds the work to one report. */
export function isSolved(work: Work, reportId: string, bits: number): boolean {
  const [first = 0] = sha256(`${work.challenge} ${reportId} ${work.nonce}`)
  return Math.clz32(first) >= bits
}

const sliceMs = 30

/** Pauses often enough for the page to respond. */
export async function solve({ challenge, bits }: Challenge, reportId: string): Promise<Work> {
  let pauseAt = Date.now() + sliceMs
  for (let nonce = 0; ; nonce++) {
    if (isSolved({ challenge, nonce }, reportId, bits)) return { challenge, nonce }
    if (nonce % 64 === 0 && Date.now() > pauseAt) {
      await new Promise((resolve) => setTimeout(resolve))
      pauseAt = Date.now() + sliceMs
    }
  }
}
