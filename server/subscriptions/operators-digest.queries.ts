import { nextDigestAt } from '#domain/subscriptions/mail-times.ts'
import type { WriteTransaction } from '../database/database.ts'
import { insertJob } from '../jobs/jobs.queries.ts'

export const operatorsDigestJobName = 'operators-digest'
const hour = 7

/** Next Monday morning, where the server is. */
export const nextOperatorsDigestAt = (now: number) =>
  nextDigestAt('weekly', hour, { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, now })

/** Does nothing if the digest of the address waits, or if there is no map: each job belongs to one. */
export async function queueOperatorsDigest(transaction: WriteTransaction, email: string, now: number) {
  const job = { kind: operatorsDigestJobName, key: email }
  const waiting = await transaction
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', job.kind)
    .where('job_key', '=', job.key)
    .executeTakeFirst()
  const map = await transaction.selectFrom('maps').select('map_id').orderBy('map_id').executeTakeFirst()
  if (waiting || !map) return
  const payload = { email, turn: '' }
  await insertJob(transaction, { ...job, mapId: map.map_id, payload, runAt: nextOperatorsDigestAt(now) }, now)
}
