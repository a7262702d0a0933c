import { createHash } from 'node:crypto'
import type { WriteTransaction } from '../database/database.ts'
import { KeyReusedError } from '../domain-error.ts'
import { forgetKeysBefore, keepAnswer, noteKey, readKey } from './idempotency.queries.ts'

const retentionMs = 86_400_000

export type IdempotentRequest = {
  personId: string
  key: string
  request: unknown
}

/**
 * Runs `work` once per key and returns the first answer for repeated requests; concurrent requests wait for
 * the row lock. Throws if the key was used for a different request.
 */
export async function answerOnce<Answer>(
  transaction: WriteTransaction,
  { personId, key, request }: IdempotentRequest,
  status: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const now = Date.now()
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  await forgetKeysBefore(transaction, now - retentionMs)
  if (!(await noteKey(transaction, { personId, key, requestHash, status }, now))) {
    const first = await readKey(transaction, { personId, key })
    if (first.request_hash !== requestHash)
      throw new KeyReusedError('This Idempotency-Key was used for another request.')
    return JSON.parse(first.answer) as Answer
  }
  const answer = await work()
  await keepAnswer(transaction, { personId, key }, JSON.stringify(answer))
  return answer
}
