import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { newSubscription, SubscriptionChange } from '#domain/subscriptions/subscription.schema.ts'
import { maxRequestsPerDay } from '#domain/subscriptions/subscriptions.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { SubscriptionsTable } from '../database/tables.ts'
import { NotFoundError, RefusedError } from '../domain-error.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { renewJob } from '../jobs/jobs.queries.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import { deleteMailed } from './incident-news.queries.ts'
import { scheduleDigest } from './schedule-digest.ts'
import {
  countRequestsOf,
  insertSubscription,
  listActiveOf,
  listSubscriptionsOf,
  lockSubscription,
  readSubscriptionAbout,
  updateSubscription,
} from './subscriptions.queries.ts'

export const confirmationJobName = 'subscription-confirmation'

type Key = { mapId: string; id: string }
type Input = z.output<typeof newSubscription>

const dayMs = 86_400_000
/** A repeated request sends no second email. */
const repeatedMs = 60_000

const toFlag = (value: boolean): 0 | 1 => (value ? 1 : 0)

export const isActive = ({ confirmed_at, ended_at }: SubscriptionsTable) =>
  confirmed_at !== null && ended_at === null

/**
 * Sends an email with a link to confirm. There is one subscription per address and topic: a confirmed one stays as it
 * is, because the caller may be a stranger.
 */
export function addSubscription(database: Database, mapId: string, input: Input): Promise<void> {
  const { about } = input
  const email = input.email.toLowerCase()
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const featureId = 'id' in about ? about.id : null
    if (featureId !== null) await requireFeature(transaction, mapId, about.topic, featureId)
    const area = about.topic === 'area' ? JSON.stringify(about.area) : null
    const hash = createHash('sha256')
      .update(JSON.stringify([email, about.topic, featureId, area]))
      .digest('hex')
    const current = await readSubscriptionAbout(transaction, { mapId, hash })
    const now = Date.now()
    if (current && current.ended_at === null && current.asked_at > now - repeatedMs) return
    if ((await countRequestsOf(transaction, { mapId, email }, now - dayMs)) >= maxRequestsPerDay) return
    const unconfirmed = {
      ...{ confirmed_at: null, ended_at: null, digested_at: null, refusals: 0, delays: null },
      radius_meters: about.topic === 'parcel' ? about.radiusMeters : null,
      types: about.topic === 'incident' ? '[]' : JSON.stringify(input.types),
      news: about.topic === 'incident' ? ('all' as const) : input.news,
      frequency: input.frequency,
      notices: toFlag(input.notices && about.topic !== 'incident'),
    }
    const id = current?.id ?? randomUUID()
    if (!current)
      await insertSubscription(transaction, {
        map_id: mapId,
        id,
        email,
        topic: about.topic,
        feature_id: featureId,
        area,
        about_hash: hash,
        ...unconfirmed,
        secret: randomBytes(32).toString('hex'),
        asked_at: now,
        requests: 1,
      })
    else {
      const requests = current.asked_at > now - dayMs ? current.requests + 1 : 1
      const columns = { asked_at: now, requests, ...(isActive(current) ? {} : unconfirmed) }
      await updateSubscription(transaction, { mapId, id }, columns)
    }
    const payload = { id, turn: randomUUID() }
    await renewJob(transaction, { mapId, kind: confirmationJobName, key: id, payload }, now)
  })
}

async function requireFeature(
  transaction: WriteTransaction,
  mapId: string,
  kind: Input['about']['topic'],
  id: string,
) {
  const row = (await readRowsOf(transaction, mapId, [id])).get(id)
  if (row?.kind !== kind || row.is_general === 1)
    throw new RefusedError('about.id', `is no ${kind} on this map`)
}

/** Call it after the key was checked. Idempotent. */
export async function confirmSubscription(database: Database, { mapId, id }: Key): Promise<void> {
  const timeZone = await readTimeZone(database, mapId)
  await database.write(async (transaction) => {
    const row = await lockSubscription(database, transaction, { mapId, id })
    if (!row || row.ended_at !== null || row.confirmed_at !== null) return
    await deleteMailed(transaction, { mapId, recipient: id })
    await updateSubscription(transaction, { mapId, id }, { confirmed_at: Date.now() })
    await scheduleDigest(transaction, row, timeZone)
  })
}

/** Call it after the key of another subscription of the address was checked. */
export async function changeSubscription(
  database: Database,
  { mapId, id, email }: Key & { email: string },
  { types, news, frequency, radiusMeters, notices }: SubscriptionChange,
): Promise<void> {
  const timeZone = await readTimeZone(database, mapId)
  await database.write(async (transaction) => {
    const row = await requireOf(database, transaction, { mapId, id, email })
    if (radiusMeters !== undefined && row.topic !== 'parcel')
      throw new RefusedError('radiusMeters', 'is only for a parcel')
    if (row.topic === 'incident' && (types?.length || (news && news !== 'all')))
      throw new RefusedError(types?.length ? 'types' : 'news', 'cannot be chosen for an incident')
    if (row.topic === 'incident' && notices)
      throw new RefusedError('notices', 'cannot be chosen for an incident')
    const isOther = frequency !== undefined && frequency !== row.frequency
    const changed = {
      ...(types && { types: JSON.stringify(types) }),
      ...(news && { news }),
      ...(frequency && { frequency }),
      ...(radiusMeters !== undefined && { radius_meters: radiusMeters }),
      ...(notices !== undefined && { notices: toFlag(notices) }),
      // Earlier news was sent immediately. From daily to weekly or back, the next digest has the news since the last one.
      ...(isOther && [frequency, row.frequency].includes('immediately') && { digested_at: Date.now() }),
    }
    if (Object.keys(changed).length === 0) return
    if (isOther && frequency === 'immediately') await deleteMailed(transaction, { mapId, recipient: id })
    await updateSubscription(transaction, { mapId, id }, changed)
    if (row.confirmed_at !== null) await scheduleDigest(transaction, { ...row, ...changed }, timeZone)
  })
}

async function requireOf(
  database: Database,
  transaction: WriteTransaction,
  { email, ...key }: Key & { email: string },
) {
  const row = await lockSubscription(database, transaction, key)
  if (row?.email !== email || row.ended_at !== null)
    throw new NotFoundError(`This address has no subscription ${key.id}.`)
  return row
}

/** Idempotent. */
export function endSubscription(
  database: Database,
  { mapId, id, email }: Key & { email: string },
): Promise<void> {
  return database.write(async (transaction) => {
    const row = await lockSubscription(database, transaction, { mapId, id })
    if (row?.email !== email) throw new NotFoundError(`This address has no subscription ${id}.`)
    if (row.ended_at === null) await updateSubscription(transaction, { mapId, id }, { ended_at: Date.now() })
  })
}

type Which = 'all' | 'daily' | 'weekly'

export function endSubscriptionsOf(
  database: Database,
  { mapId, email }: { mapId: string; email: string },
  which: Which,
): Promise<void> {
  return database.write(async (transaction) => {
    const rows = await (which === 'all' ? listSubscriptionsOf : listActiveOf)(transaction, { mapId, email })
    for (const { id, frequency } of rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
      if (which === 'all' || which === frequency)
        await updateSubscription(transaction, { mapId, id }, { ended_at: Date.now() })
  })
}
