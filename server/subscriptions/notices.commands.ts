import type { Person } from '#domain/access/session.schema.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Database } from '../database/database.ts'
import type { NoticesTable, SubscriptionsTable } from '../database/tables.ts'
import { ConflictError } from '../domain-error.ts'
import { insertJob } from '../jobs/jobs.queries.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { chooseOnePerAddress } from './covers-incident.ts'
import { countNoticesSince, insertNotice, readNotice } from './notices.queries.ts'
import { listNoticeSubscribers } from './subscriptions.queries.ts'

export const noticeJobName = 'notice'
const maxPerHour = 5
const hourMs = 3_600_000

type NewNotice = { mapId: string; id: string; person: Person; subject: string; message: string }

export class NoticeLimitError extends ConflictError {}

/** Idempotent. Sends it to those of `covering` who still want notices, once per address. */
export function sendNotice(
  database: Database,
  { mapId, id, person, subject, message }: NewNotice,
  covering: readonly SubscriptionsTable[],
): Promise<NoticesTable> {
  const ids = new Set(covering.map((row) => row.id))
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const current = await readNotice(transaction, { mapId, id })
    if (current?.subject === subject && current.message === message) return current
    if (current) throw new ConflictError('This id belongs to another notice.')
    const now = Date.now()
    if ((await countNoticesSince(transaction, mapId, now - hourMs)) >= maxPerHour)
      throw new NoticeLimitError(`A map can send ${maxPerHour} notices an hour. Try again later.`)
    const active = await listNoticeSubscribers(transaction, mapId)
    const recipients = chooseOnePerAddress(active.filter((row) => ids.has(row.id))).map((row) => row.id)
    if (recipients.length === 0)
      throw new ConflictError('No subscriber of this area gets notices. Nothing was sent.')
    const [count, sentBy] = [recipients.length, person.name]
    const content = { map_id: mapId, id, subject, message }
    const row = { ...content, recipients: count, sent_by: sentBy, sent_at: now, queued_at: null }
    await insertNotice(transaction, row)
    await insertJob(transaction, { mapId, kind: noticeJobName, key: id, payload: { id, recipients } }, now)
    await insertActivity(
      transaction,
      { mapId, action: 'notice.sent', actor: person, details: { count, subject } },
      now,
    )
    return row
  })
}
