import { createHmac } from 'node:crypto'
import { type Challenge, isSolved, type Work } from '#domain/reports/proof-of-work.ts'
import { isEqualText } from '../http/is-equal-text.ts'

/** About 0.3 seconds on a computer. */
const bits = 15
const validMs = 600_000

/** For a map without work: solved by anything. */
export const noChallenge: Challenge = { challenge: '', bits: 0 }

/** Not stored: the signature with the secret of the map binds it to the map. */
export function issueChallenge(secret: string, now: number): Challenge {
  const expires = String(now + validMs)
  return { challenge: `${expires}.${signed(secret, expires)}`, bits }
}

/** The challenge is for one report, as the work contains its id. */
export function isDone(secret: string, reportId: string, work: Work, now: number): boolean {
  const [expires = '', signature = ''] = work.challenge.split('.')
  return (
    Number(expires) > now && isEqualText(signature, signed(secret, expires)) && isSolved(work, reportId, bits)
  )
}

const signed = (secret: string, expires: string) =>
  createHmac('sha256', secret).update(`challenge ${expires}`).digest('hex').slice(0, 32)
