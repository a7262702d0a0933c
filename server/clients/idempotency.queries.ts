import type { WriteTransaction } from '../database/database.ts'

type Key = { personId: string; key: string }

export async function forgetKeysBefore(transaction: WriteTransaction, instant: number) {
  await transaction.deleteFrom('idempotency_keys').where('created_at', '<', instant).execute()
}

export async function noteKey(
  transaction: WriteTransaction,
  { personId, key, requestHash, status }: Key & { requestHash: string; status: number },
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('idempotency_keys')
    .values({
      person_id: personId,
      idempotency_key: key,
      request_hash: requestHash,
      status,
      answer: 'null',
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows !== 0n
}

export function readKey(transaction: WriteTransaction, { personId, key }: Key) {
  return transaction
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'answer'])
    .where('person_id', '=', personId)
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow()
}

export async function keepAnswer(transaction: WriteTransaction, { personId, key }: Key, answer: string) {
  await transaction
    .updateTable('idempotency_keys')
    .set({ answer })
    .where('person_id', '=', personId)
    .where('idempotency_key', '=', key)
    .execute()
}
