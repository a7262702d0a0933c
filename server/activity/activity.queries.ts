import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type ActivityAction, actionsWith, type SubjectType } from '#domain/activity/activity-rules.ts'
import type { Extent, ReadDatabase, WriteTransaction } from '../database/database.ts'
import { writeOutbox } from './webhook-outbox.queries.ts'

/** `id` is null on the command line. `tokenId` is set if an access token was used. */
export type Actor = { id: string | null; name: string; tokenId?: string }

export type Activity = {
  mapId: string
  action: ActivityAction
  actor?: Actor | null
  subject?: string | null
  details?: Record<string, unknown>
  /** Only tiles in this extent are dropped. */
  extent?: Extent | null
}

let lastAt = 0
let countAtOnce = 0

/** A UUID of version 7: ordered by time, and within a millisecond by a counter. */
function orderedId(now: number): string {
  countAtOnce = now === lastAt ? (countAtOnce + 1) % 4_096 : 0
  lastAt = now
  const time = now.toString(16).padStart(12, '0')
  const count = countAtOnce.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${randomUUID().slice(19)}`
}

/** Call it last in the transaction: readers look back only a short time for new rows. */
export async function recordActivity(transaction: WriteTransaction, activity: Activity, now: number) {
  const { mapId } = activity
  await transaction.updateTable('maps').set({ updated_at: now }).where('map_id', '=', mapId).execute()
  await insertActivity(transaction, activity, now)
}

export async function insertActivity(transaction: WriteTransaction, activity: Activity, now: number) {
  const { mapId, action, subject = null } = activity
  await insertActivityWithoutWebhooks(transaction, activity, now)
  await writeOutbox(transaction, { mapId, action, subject }, now)
}

/** For restores, which have deleted all webhooks. The tables may be of an older version without webhooks. */
export async function insertActivityWithoutWebhooks(
  transaction: WriteTransaction,
  activity: Activity,
  now: number,
) {
  const { mapId, action, actor = null, subject = null, details = {}, extent } = activity
  await transaction
    .insertInto('activity')
    .values({
      map_id: mapId,
      id: orderedId(now),
      at: now,
      actor: actor?.name ?? null,
      actor_id: actor?.id ?? null,
      // Older structures lack this column, and a restore to one of them also records its activity.
      ...(actor?.tokenId === undefined ? {} : { token_id: actor.tokenId }),
      action,
      subject,
      details: JSON.stringify(details),
      west: extent?.west ?? null,
      south: extent?.south ?? null,
      east: extent?.east ?? null,
      north: extent?.north ?? null,
    })
    .execute()
}

export function readActivitySince(database: ReadDatabase, since: number) {
  return database
    .selectFrom('activity')
    .select(['map_id', 'id', 'at', 'action', 'subject', 'details', 'west', 'south', 'east', 'north'])
    .where('at', '>=', since)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

/** Databases limit the number of parameters. */
const idsPerQuery = 500

/** By activity id; null if the record was removed or there were several. */
export async function readCurrentVersions(
  database: ReadDatabase,
  activities: readonly { id: string; at: number }[],
): Promise<Map<string, number | null>> {
  const versions = new Map<string, number | null>()
  for (let start = 0; start < activities.length; start += idsPerQuery) {
    const batch = activities.slice(start, start + idsPerQuery)
    const rows = await presentVersions(database)
      .where('at', '>=', Math.min(...batch.map(({ at }) => at)))
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .execute()
    for (const { id, version } of rows) versions.set(id, version)
  }
  return versions
}

const deletedDrawings = actionsWith(({ subject, isGone }) => subject === 'drawing' && isGone === true)
const actionsOn = (type: SubjectType) => actionsWith(({ subject }) => subject === type)

function presentVersions(database: ReadDatabase) {
  return database.selectFrom('activity').select(({ eb, selectFrom }) => {
    const versionIn = (table: 'features' | 'drawings' | 'reports') =>
      selectFrom(table)
        .select(`${table}.version`)
        .whereRef(`${table}.map_id`, '=', 'activity.map_id')
        .whereRef(`${table}.id`, '=', 'activity.subject')
    const clientQuery = selectFrom('clients')
      .select('clients.version')
      .whereRef('clients.map_id', '=', 'activity.map_id')
    const configurationQuery = selectFrom('map_configurations')
      .select(({ fn }) => fn.max('map_configurations.version').as('version'))
      .whereRef('map_configurations.map_id', '=', 'activity.map_id')
    return [
      'id',
      eb
        .case()
        // A deleted drawing may have been drawn again.
        .when('action', 'in', deletedDrawings)
        .then(sql<number | null>`null`)
        .when('action', 'in', actionsOn('drawing'))
        .then(versionIn('drawings'))
        .when('action', 'in', actionsOn('report'))
        .then(versionIn('reports'))
        .when('action', 'in', actionsOn('client'))
        .then(clientQuery)
        .when('action', 'in', actionsOn('configuration'))
        .then(configurationQuery)
        .when('action', 'in', actionsOn('feature'))
        .then(versionIn('features'))
        .else(null)
        .end()
        .as('version'),
    ]
  })
}
