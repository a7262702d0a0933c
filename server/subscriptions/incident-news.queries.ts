import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { type Standing, standingOf } from '#domain/subscriptions/standing.ts'
import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { FeatureColumns, IncidentNewsTable, IncidentNotesTable } from '../database/tables.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { listWaitingKeys } from '../jobs/jobs.queries.ts'
import { listNotes } from '../work/notes.queries.ts'

type Key = { mapId: string; id: string }

export type Current = { incident: FeatureColumns; standing: Standing; note: IncidentNotesTable | undefined }

/** As visitors see it. Undefined if they do not see it. */
export async function readCurrent(read: ReadDatabase, { mapId, id }: Key): Promise<Current | undefined> {
  const incident = (await readRowsOf(read, mapId, [id])).get(id)
  if (incident?.kind !== 'incident' || incident.is_general === 1) return undefined
  const note = (await listNotes(read, { mapId, incidentIds: [id] }, 'public')).at(-1)
  return { incident, standing: standingOf(incident, note), note }
}

export const readNews = (read: ReadDatabase, { mapId, id }: Key) =>
  read
    .selectFrom('incident_news')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('incident_id', '=', id)
    .executeTakeFirst()

/** Oldest first. */
export const listNewsSince = (
  read: ReadDatabase,
  { mapId, since, until }: { mapId: string; since: number; until: number },
  limit: number,
) =>
  read
    .selectFrom('incident_news')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('changed_at', '>', since)
    .where('changed_at', '<=', until)
    .where('standing', 'is not', null)
    .orderBy('changed_at')
    .orderBy('incident_id')
    .limit(limit)
    .execute()

export async function updateNews(
  transaction: WriteTransaction,
  { mapId, id }: Key,
  columns: Partial<IncidentNewsTable>,
) {
  await transaction
    .updateTable('incident_news')
    .set(columns)
    .where('map_id', '=', mapId)
    .where('incident_id', '=', id)
    .execute()
}

export type MailKey = Key & { recipient: string }

export const subscriptionNewsJobName = 'subscription-news'
export const newsKeyOf = ({ id, recipient }: Pick<MailKey, 'id' | 'recipient'>) => `${recipient} ${id}`

/** Ids of incidents whose news waits for a recipient. */
export async function listWaitingIds(
  read: ReadDatabase,
  { mapId, recipient }: Pick<MailKey, 'mapId' | 'recipient'>,
  limit: number,
): Promise<string[]> {
  const start = newsKeyOf({ id: '', recipient })
  const keys = await listWaitingKeys(read, { mapId, kind: subscriptionNewsJobName, start }, limit)
  return keys.map((key) => key.slice(start.length))
}

/** Undefined: no news was due yet. Null: the incident was not on the map. */
export async function readMailed(
  read: ReadDatabase,
  { mapId, id, recipient }: MailKey,
): Promise<Standing | null | undefined> {
  const row = await read
    .selectFrom('incident_mails')
    .select('mailed')
    .where('map_id', '=', mapId)
    .where('recipient', '=', recipient)
    .where('incident_id', '=', id)
    .executeTakeFirst()
  return row && (row.mailed === null ? null : (JSON.parse(row.mailed) as Standing))
}

/** Keeps the row of a recipient who has had an email about the incident. */
export async function insertMailed(
  transaction: WriteTransaction,
  { mapId, id, recipient }: MailKey,
  mailed: string | null,
) {
  await transaction
    .insertInto('incident_mails')
    .values({ map_id: mapId, recipient, incident_id: id, mailed })
    .onConflict((conflict) => conflict.columns(['map_id', 'recipient', 'incident_id']).doNothing())
    .execute()
}

export async function updateMailed(
  transaction: WriteTransaction,
  { mapId, id, recipient }: MailKey,
  mailed: Standing,
) {
  await transaction
    .updateTable('incident_mails')
    .set({ mailed: JSON.stringify(mailed) })
    .where('map_id', '=', mapId)
    .where('recipient', '=', recipient)
    .where('incident_id', '=', id)
    .execute()
}

/** For subscriptions that begin to get news immediately: earlier emails are no comparison. */
export async function deleteMailed(
  transaction: WriteTransaction,
  { mapId, recipient }: Pick<MailKey, 'mapId' | 'recipient'>,
) {
  await transaction
    .deleteFrom('incident_mails')
    .where('map_id', '=', mapId)
    .where('recipient', '=', recipient)
    .execute()
}

/** Addresses that get the same news about their report, in lower case. */
export async function readReporterEmails(read: ReadDatabase, { mapId, id }: Key): Promise<Set<string>> {
  const rows = await read
    .selectFrom('reports')
    .select('email')
    .where('map_id', '=', mapId)
    .where('email', 'is not', null)
    .where(({ or, eb }) => or([eb('id', '=', id), eb('duplicate_of', '=', id)]))
    .execute()
  return new Set(rows.flatMap(({ email }) => email?.toLowerCase() ?? []))
}

/** The incident, and the duplicates that were merged into it, also by way of others. */
export async function readMergedIds(read: ReadDatabase, { mapId, id }: Key): Promise<string[]> {
  const ids = new Set([id])
  for (let last = [id]; last.length > 0; ) {
    const rows = await read
      .selectFrom('merges')
      .select('source_id')
      .where('map_id', '=', mapId)
      .where('target_id', 'in', last)
      .execute()
    last = rows.map(({ source_id }) => source_id).filter((source) => !ids.has(source))
    for (const source of last) ids.add(source)
  }
  return [...ids]
}

export async function readShapes(
  read: ReadDatabase,
  mapId: string,
  parcelIds: readonly string[],
): Promise<Map<string, Geometry>> {
  if (parcelIds.length === 0) return new Map()
  const rows = await read
    .selectFrom('features')
    .select(['id', 'geometry'])
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .where('id', 'in', [...new Set(parcelIds)])
    .execute()
  return new Map(rows.map(({ id, geometry }) => [id, JSON.parse(geometry) as Geometry]))
}
