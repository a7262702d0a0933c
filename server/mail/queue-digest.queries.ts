import { randomUUID } from 'node:crypto'
import { nextDigestAt } from '#domain/subscriptions/mail-times.ts'
import type { WriteTransaction } from '../database/database.ts'
import { renewJob } from '../jobs/jobs.queries.ts'

export const boardDigestJobName = 'board-digest'

type Digest = {
  mapId: string
  kind: string
  key: string
  payload: object
  frequency: 'daily' | 'weekly'
  /** Hour of the day in the time zone. */
  hour: number
  timeZone: string
}

/** Replaces the digest of this kind and key that waits, if there is one. */
export async function queueDigest(
  transaction: WriteTransaction,
  { frequency, hour, timeZone, payload, ...job }: Digest,
) {
  const now = Date.now()
  const runAt = nextDigestAt(frequency, hour, { timeZone, now })
  await renewJob(transaction, { ...job, payload: { ...payload, timeZone, turn: randomUUID() }, runAt }, now)
}

/** One for all addresses of the board. */
export const queueBoardDigest = (
  transaction: WriteTransaction,
  { mapId, hour, timeZone }: Pick<Digest, 'mapId' | 'hour' | 'timeZone'>,
) =>
  queueDigest(transaction, {
    mapId,
    kind: boardDigestJobName,
    key: 'board',
    payload: {},
    frequency: 'weekly',
    hour,
    timeZone,
  })
