import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type ActivityAction, activityRule } from '#domain/activity/activity-rules.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import { isOfOneKind } from '#domain/webhooks/webhook-event.ts'
import type { WriteTransaction } from '../database/database.ts'

type OutboxActivity = { mapId: string; action: ActivityAction; subject: string | null }

/** Call it in the transaction of the change. Maps without endpoints cost one lookup in an index. */
export async function writeOutbox(
  transaction: WriteTransaction,
  { mapId, action, subject }: OutboxActivity,
  now: number,
): Promise<void> {
  const { event } = activityRule(action)
  if (event === null) return
  const endpoints = await transaction
    .selectFrom('webhook_endpoints')
    .select(['id', 'events', 'kinds'])
    .where('map_id', '=', mapId)
    .where('off_at', 'is', null)
    .execute()
  const subscribed = endpoints.filter(({ events }) => JSON.parse(events).includes(event))
  if (subscribed.length === 0) return
  const { kind, version } = await readSubject(transaction, { mapId, action, subject })
  const receivers = subscribed.filter(
    ({ kinds }) => !isOfOneKind(event) || wantsKind(JSON.parse(kinds), kind),
  )
  if (receivers.length === 0) return
  await transaction
    .insertInto('webhook_deliveries')
    .values(
      receivers.map(({ id }) => ({
        map_id: mapId,
        id: `msg_${randomUUID()}`,
        endpoint_id: id,
        event,
        subject,
        kind,
        version,
        at: now,
        next_try_at: now,
        tries: 0,
      })),
    )
    .execute()
}

/** Sends activities of unknown kinds to every endpoint: better too many than too few. */
const wantsKind = (kinds: readonly DefinedKind[], kind: DefinedKind | null) =>
  kinds.length === 0 || kind === null || kinds.includes(kind)

type Subject = { kind: DefinedKind | null; version: number | null }
const unknown: Subject = { kind: null, version: null }

async function readSubject(
  transaction: WriteTransaction,
  { mapId, action, subject }: OutboxActivity,
): Promise<Subject> {
  if (subject === null) return unknown
  const { subject: type } = activityRule(action)
  if (type === 'import') {
    const importQuery = sql<Subject>`
      select kind, null as version from imports where map_id = ${mapId} and id = ${subject}`
    return (await importQuery.execute(transaction)).rows[0] ?? unknown
  }
  if (type === 'drawing') {
    const drawingQuery = sql<Subject>`
      select null as kind, version from drawings where map_id = ${mapId} and id = ${subject}`
    return (await drawingQuery.execute(transaction)).rows[0] ?? unknown
  }
  if (type !== 'feature') return unknown
  const featureQuery = sql<Subject>`
    select case when is_general = 1 then 'feature' else kind end as kind, version
    from features where map_id = ${mapId} and id = ${subject}
    union all
    select kind, version from removed_features where map_id = ${mapId} and id = ${subject}`
  return (await featureQuery.execute(transaction)).rows[0] ?? unknown
}
