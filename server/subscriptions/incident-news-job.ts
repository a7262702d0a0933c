import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { afterQuietHours } from '#domain/subscriptions/mail-times.ts'
import { isNews, type Standing } from '#domain/subscriptions/standing.ts'
import type { Database } from '../database/database.ts'
import type { SubscriptionsTable } from '../database/tables.ts'
import { defineJob } from '../jobs/job-kind.ts'
import { renewJob } from '../jobs/jobs.queries.ts'
import { incidentNewsJobName } from '../mail/queue-news.queries.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import { readReportSettings } from '../reports/report-settings.queries.ts'
import { chooseOnePerAddress, coversIncident, wants } from './covers-incident.ts'
import {
  type Current,
  insertMailed,
  newsKeyOf,
  readCurrent,
  readMergedIds,
  readNews,
  readReporterEmails,
  readShapes,
  subscriptionNewsJobName,
  updateNews,
} from './incident-news.queries.ts'
import { listActive } from './subscriptions.queries.ts'

/** Compares how an incident stands with the last announcement, and queues an email to each subscriber if it is news. */
export const incidentNewsJob = defineJob({
  name: incidentNewsJobName,
  payload: z.object({ id: z.string(), turn: z.string() }),
  maxAtOnce: 1,
  async step({ database, mapId, payload: { id } }) {
    const { read } = database
    const news = await readNews(read, { mapId, id })
    if (!news) return 'done'
    const current = await readCurrent(read, { mapId, id })
    const before = news.standing === null ? null : (JSON.parse(news.standing) as Standing)
    const standing = current ? JSON.stringify(current.standing) : null
    if (standing === news.standing) return 'done'
    const now = Date.now()
    const isNewsForAll = current !== undefined && isNews(before, current.standing)
    const isNew = before === null && news.appeared_at === null
    const followers = isNewsForAll ? await listImmediate(database, mapId, current, isNew) : []
    const { emails } = (await readReportSettings(read, mapId)).settings
    const runAt = afterQuietHours(emails, { timeZone: await readTimeZone(database, mapId), now })
    await database.write(async (transaction) => {
      // Another process may have run this step.
      if ((await readNews(transaction, { mapId, id }))?.standing !== news.standing) return
      const times = { changed_at: now, ...(before === null && { appeared_at: news.appeared_at ?? now }) }
      await updateNews(transaction, { mapId, id }, { standing, ...(isNewsForAll && times) })
      for (const { id: recipient } of followers) {
        await insertMailed(transaction, { mapId, id, recipient }, news.standing)
        const payload = { id, recipient, turn: randomUUID() }
        const key = newsKeyOf({ id, recipient })
        await renewJob(transaction, { mapId, kind: subscriptionNewsJobName, key, payload, runAt }, now)
      }
    })
    return 'done'
  },
})

async function listImmediate(database: Database, mapId: string, current: Current, isNew: boolean) {
  const all = await listActive(database.read, mapId)
  const immediate = all.filter((one) => one.frequency === 'immediately' && wants(one, isNew))
  return (await listCovering(database, immediate, current)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** One subscription for each address, without those of its reporters, who get the same news about their report. */
export async function listCovering(
  { read }: Database,
  subscriptions: readonly SubscriptionsTable[],
  { incident }: Current,
): Promise<SubscriptionsTable[]> {
  if (subscriptions.length === 0) return []
  const key = { mapId: incident.map_id, id: incident.id }
  const parcelIds = subscriptions.flatMap(({ topic, feature_id }) =>
    topic === 'parcel' ? (feature_id ?? []) : [],
  )
  const shapes = await readShapes(read, key.mapId, parcelIds)
  const ids = await readMergedIds(read, key)
  const reporters = await readReporterEmails(read, key)
  return chooseOnePerAddress(
    subscriptions.filter((one) => !reporters.has(one.email) && coversIncident(one, incident, ids, shapes)),
  )
}
