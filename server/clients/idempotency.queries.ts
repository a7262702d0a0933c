import { createHash } from 'node:crypto'
import type { WriteTransaction } from '../database/database.ts'
import { ProblemError } from '../http/problem.ts'

/** Whoever tries again does so soon. */
const keptMs = 86_400_000

export type IdempotentRequest = {
  personId: string
  /** What the sender calls this request. */
  key: string
  /** What is asked for, to tell another request under the same key. */
  request: unknown
}

/**
 * Does `work` once for each key: whoever asks again gets the first answer. Requests that come at the same time
 * wait for the first one at its row. Throws a 422 where the key was another request's.
 */
export async function answerOnce<Answer>(
  transaction: WriteTransaction,
  { personId, key, request }: IdempotentRequest,
  status: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const now = Date.now()
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  await transaction
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', now - keptMs)
    .execute()
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('idempotency_keys')
    .values({
      person_id: personId,
      idempotency_key: key,
      request_hash: hash,
      status,
      answer: 'null',
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  const ofKey = transaction
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where('person_id', '=', personId)
    .where('idempotency_key', '=', key)
  if (numInsertedOrUpdatedRows === 0n) {
    const first = await ofKey.executeTakeFirstOrThrow()
    if (first.request_hash !== hash)
      throw new ProblemError(422, 'This Idempotency-Key was used for another request.')
    return JSON.parse(first.answer) as Answer
  }
  const answer = await work()
  await transaction
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('person_id', '=', personId)
    .where('idempotency_key', '=', key)
    .execute()
  return answer
}
