import { createHash } from 'node:crypto'
import type { WriteTransaction } from '../database/database.ts'
import type { SubscriptionsTable } from '../database/tables.ts'
import { queueDigest } from '../mail/queue-digest.queries.ts'
import { readReportSettings } from '../reports/report-settings.queries.ts'

export const digestJobName = 'subscription-digest'

type Recipient = Pick<SubscriptionsTable, 'map_id' | 'email' | 'frequency'>

/** All subscriptions of an address with the same frequency are one digest. */
export async function scheduleDigest(
  transaction: WriteTransaction,
  { map_id: mapId, email, frequency }: Recipient,
  timeZone: string,
) {
  if (frequency === 'immediately') return
  const { digestHour: hour } = (await readReportSettings(transaction, mapId)).settings.emails
  const key = createHash('sha256').update(`${frequency} ${email}`).digest('hex')
  const payload = { email, frequency }
  await queueDigest(transaction, { mapId, kind: digestJobName, key, payload, frequency, hour, timeZone })
}
