import { z } from 'zod'
import { isNews, type Standing } from '#domain/subscriptions/standing.ts'
import { localDay } from '#domain/values/time-zones.ts'
import { readAssociation } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import type { SubscriptionsTable } from '../database/tables.ts'
import { type AnyJobKind, defineJob } from '../jobs/job-kind.ts'
import { shortHash } from '../mail/mail-html.ts'
import { type Mail, type MailSender, mailJob } from '../mail/mail-sender.ts'
import { returningSubscription, returnNameOf } from '../mail/return-path.ts'
import { isOpenMap } from '../maps/maps.queries.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import { wants } from './covers-incident.ts'
import {
  type Current,
  listNewsSince,
  listWaitingIds,
  type MailKey,
  readCurrent,
  readMailed,
  subscriptionNewsJobName,
  updateMailed,
} from './incident-news.queries.ts'
import { listCovering } from './incident-news-job.ts'
import { digestJobName, scheduleDigest } from './schedule-digest.ts'
import {
  type DigestItem,
  describeSubscription,
  writeConfirmation,
  writeDigest,
  writeIncidentNews,
  writeNewsList,
} from './subscription-mails.ts'
import { confirmationJobName, isActive } from './subscriptions.commands.ts'
import { listActiveOf, readSubscription, updateSubscription } from './subscriptions.queries.ts'

export type Place = { sender: MailSender; publicUrl: string }

/** A subscription ends after so many refused emails in a row. */
const maxRefusals = 3

export const subscriptionJobs = (place: Place): AnyJobKind[] => [
  confirmationJob(place),
  newsJob(place),
  digestJob(place),
]

const confirmationJob = ({ sender, publicUrl }: Place) =>
  defineJob({
    ...mailJob,
    name: confirmationJobName,
    payload: z.object({ id: z.string(), turn: z.string() }),
    async step({ database, mapId, payload: { id } }) {
      const row = await readSubscription(database.read, { mapId, id })
      if (!row || row.ended_at !== null || !(await isOpenMap(database, mapId))) return 'done'
      await sender.send(
        returningTo(row, writeConfirmation({ row, ...(await contextOf(database, row)), publicUrl })),
      )
      return 'done'
    },
  })

/** More news that waits for a subscriber goes into one email. Emails run after the comparison of all changed incidents. */
const maxSingle = 5

/** Sends an incident's news to one subscriber, as it stands now. */
const newsJob = ({ sender, publicUrl }: Place) =>
  defineJob({
    ...mailJob,
    name: subscriptionNewsJobName,
    payload: z.object({ id: z.string(), recipient: z.string(), turn: z.string() }),
    async step({ database, mapId, payload: { id, recipient } }) {
      const row = await readSubscription(database.read, { mapId, id: recipient })
      if (!row || !isActive(row) || !(await isOpenMap(database, mapId))) return 'done'
      const all = await listNews(database, { mapId, id, recipient })
      const own = all.find((one) => one.current.incident.id === id)
      if (!own) return 'done'
      const news = all.length > maxSingle ? all : [own]
      const messageName = shortHash(
        JSON.stringify(news.map(({ before, current: { standing } }) => [before, standing])),
      )
      const content = { row, messageName, publicUrl, ...(await contextOf(database, row)) }
      const mail =
        news.length > 1
          ? writeNewsList({ ...content, items: news.map(toItem) })
          : writeIncidentNews({ ...content, ...own })
      const refusals = await sendTo(sender, row, mail)
      await database.write(async (transaction) => {
        for (const { current } of news)
          await updateMailed(transaction, { mapId, id: current.incident.id, recipient }, current.standing)
        await updateSubscription(transaction, { mapId, id: recipient }, refusals)
      })
      return 'done'
    },
  })

type News = { current: Current; before: Standing | null }

/** The news of an incident and others that wait for the same recipient. */
async function listNews({ read }: Database, { mapId, id, recipient }: MailKey): Promise<News[]> {
  const waiting = await listWaitingIds(read, { mapId, recipient }, maxItems)
  const news: News[] = []
  for (const one of new Set([id, ...waiting])) {
    const current = await readCurrent(read, { mapId, id: one })
    const before = await readMailed(read, { mapId, id: one, recipient })
    if (current && before !== undefined && isNews(before, current.standing)) news.push({ current, before })
  }
  return news
}

const toItem = ({ current: { incident, standing }, before }: News): DigestItem => ({
  id: incident.id,
  name: incident.name,
  standing,
  isNew: before === null,
})

/** Sends nothing without news, and schedules the next one. */
const digestJob = ({ sender, publicUrl }: Place) =>
  defineJob({
    ...mailJob,
    name: digestJobName,
    payload: z.object({
      email: z.string(),
      frequency: z.enum(['daily', 'weekly']),
      turn: z.string(),
      timeZone: z.string().optional(),
    }),
    async step({ database, mapId, payload: { email, frequency } }) {
      const all = await listActiveOf(database.read, { mapId, email })
      const rows = all.filter((row) => row.frequency === frequency)
      const [row] = rows
      if (!row) return 'done'
      const timeZone = await readTimeZone(database, mapId)
      if (!(await isOpenMap(database, mapId))) {
        // The association may be restored.
        await database.write((transaction) => scheduleDigest(transaction, row, timeZone))
        return 'done'
      }
      const now = Date.now()
      const until = now - settlingMs
      const { items, hasMore } = await gather(database, rows, all, until)
      let refusals = {}
      if (items.length > 0) {
        const { association } = await contextOf(database, row)
        const whys = await Promise.all(rows.map((one) => describeSubscription(database.read, one)))
        const day = localDay(now, timeZone)
        const content = { row, association, publicUrl, why: whys.join('; '), items, hasMore, frequency, day }
        refusals = await sendTo(sender, row, writeDigest(content))
      }
      await database.write(async (transaction) => {
        // In the order in which other changes lock them.
        for (const one of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
          const digested = { digested_at: Math.max(until, sinceOf(one)) }
          await updateSubscription(transaction, { mapId, id: one.id }, { ...digested, ...refusals })
        }
        await scheduleDigest(transaction, row, timeZone)
      })
      return 'done'
    },
    async giveUp(transaction, { mapId, payload: { email, frequency, timeZone = 'UTC' } }) {
      await scheduleDigest(transaction, { map_id: mapId, email, frequency }, timeZone)
    },
  })

const maxItems = 50
const maxCompared = 500
/** News is dated before its transaction ends, perhaps in another process: the next digest has the last minute. */
const settlingMs = 60_000

const sinceOf = ({ digested_at, confirmed_at }: SubscriptionsTable) => digested_at ?? confirmed_at ?? 0

/** Without news that the address got by another subscription, or that the subscription does not want. */
async function gather(
  database: Database,
  rows: readonly SubscriptionsTable[],
  all: readonly SubscriptionsTable[],
  until: number,
): Promise<{ items: DigestItem[]; hasMore: boolean }> {
  const [first] = rows
  if (!first) return { items: [], hasMore: false }
  const { map_id: mapId } = first
  const since = Math.min(...rows.map(sinceOf))
  const news = await listNewsSince(database.read, { mapId, since, until }, maxCompared)
  const items: DigestItem[] = []
  for (const { incident_id: id, appeared_at, changed_at } of news) {
    const current = await readCurrent(database.read, { mapId, id })
    if (!current) continue
    const isNewSince = (from: number) => (appeared_at ?? 0) > from
    const wanting = rows.filter(
      (row) => (changed_at ?? 0) > sinceOf(row) && wants(row, isNewSince(sinceOf(row))),
    )
    const isNew = isNewSince(since)
    const immediate = all.filter(
      (row) => row.frequency === 'immediately' && (changed_at ?? 0) > sinceOf(row) && wants(row, isNew),
    )
    if ((await listCovering(database, wanting, current)).length === 0) continue
    if ((await listCovering(database, immediate, current)).length > 0) continue
    items.push({ id, name: current.incident.name, standing: current.standing, isNew })
  }
  return { items: items.slice(0, maxItems), hasMore: items.length > maxItems || news.length === maxCompared }
}

const returningTo = (row: SubscriptionsTable, mail: Mail): Mail => ({
  ...mail,
  returnName: returnNameOf(returningSubscription(row)),
})

/** Returns the columns that follow. */
export async function sendTo(sender: MailSender, row: SubscriptionsTable, mail: Mail) {
  const refusals = (await sender.send(returningTo(row, mail))) === null ? 0 : row.refusals + 1
  return { refusals, ...(refusals >= maxRefusals && { ended_at: Date.now() }) }
}

export async function contextOf({ read }: Database, row: SubscriptionsTable) {
  return {
    association: await readAssociation(read, row.map_id),
    why: await describeSubscription(read, row),
  }
}
