import { createHash } from 'node:crypto'
import type { WriteTransaction } from '../database/database.ts'
import { KeyReusedError } from '../domain-error.ts'
import { forgetKeysBefore, keepAnswer, noteKey, readKey } from './idempotency.queries.ts'

/** A repeated request comes soon after the first. */
const keptMs = 86_400_000

export type IdempotentRequest = {
  personId: string
  /** What the sender calls this request. */
  key: string
  /** What is asked for, to tell another request under the same key. */
  request: unknown
}

/**
 * Does `work` once for each key: a repeated request gets the first answer. Requests at the same time wait for the
 * first one at its row. Throws where the key was used for a different request.
 */
export async function answerOnce<Answer>(
  transaction: WriteTransaction,
  { personId, key, request }: IdempotentRequest,
  status: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const now = Date.now()
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  await forgetKeysBefore(transaction, now - keptMs)
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
