import { randomUUID } from 'node:crypto'
import type { TypeSettings } from '#domain/reports/report-settings.ts'
import { type Standing, standingOf } from '#domain/subscriptions/standing.ts'
import type { WriteTransaction } from '../database/database.ts'
import type { FeatureColumns, ReportsTable } from '../database/tables.ts'
import { renewJob } from '../jobs/jobs.queries.ts'

export const reportNewsJobName = 'report-news'
export const incidentNewsJobName = 'incident-news'
export const staffNewsJobName = 'staff-news'

/** Staff can undo for this long before an email is sent. */
export const newsDelayMs = 10_000

type Row = Pick<FeatureColumns, 'id' | 'status' | 'fields'>

type Changed = {
  mapId: string
  incidentIds: readonly string[]
  /** The changed rows before the change, without those that were not on the map. Default: they did not change. */
  before?: readonly Row[]
  /** A note that is new, or was changed. */
  noteId?: string
  /** A merge moved the notes that there are: they are no news. */
  areNotesOld?: boolean
}

/**
 * Tells reporters by email how their reports stand, soon. Several changes are one message, and none if they were undone.
 * Call it in the transaction of the change.
 */
export async function queueReportNews(
  transaction: WriteTransaction,
  { mapId, incidentIds, ...change }: Changed,
  now: number,
  delayMs = newsDelayMs,
) {
  if (incidentIds.length === 0) return
  await queueIncidentNews(transaction, { mapId, incidentIds, ...change }, now)
  const reports = await transaction
    .selectFrom('reports')
    .select(['id', 'email', 'duplicate_of', 'mailed'])
    .where('map_id', '=', mapId)
    // In a stable order, to avoid deadlocks.
    .orderBy('id')
    .where(({ eb, or }) => or([eb('id', 'in', incidentIds), eb('duplicate_of', 'in', incidentIds)]))
    .execute()
  if (change.areNotesOld) for (const report of reports) await skipNotes(transaction, mapId, report)
  const runAt = now + delayMs
  for (const { id, email } of reports)
    if (email !== null) await renewNews(transaction, { mapId, kind: reportNewsJobName, id, runAt }, now)
  await queueStaffNews(transaction, { mapId, reportIds: reports.map(({ id }) => id) }, now, delayMs)
}

type Mailed = Pick<ReportsTable, 'id' | 'duplicate_of' | 'mailed'>

async function skipNotes(transaction: WriteTransaction, mapId: string, { id, duplicate_of, mailed }: Mailed) {
  if (mailed === null) return
  const last = lastNote(transaction, { mapId, id: duplicate_of ?? id })
  const note = await last.where('source', '!=', 'reporter').executeTakeFirst()
  await transaction
    .updateTable('reports')
    .set({ mailed: JSON.stringify({ ...JSON.parse(mailed), noteId: note?.id ?? null }) })
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .execute()
}

const lastNote = (transaction: WriteTransaction, { mapId, id }: { mapId: string; id: string }) =>
  transaction
    .selectFrom('incident_notes')
    .select(['id', 'at'])
    .where('map_id', '=', mapId)
    .where('incident_id', '=', id)
    .where('is_public', '=', 1)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)

/** Tells the staff addresses of each report's type, if there are any. */
export async function queueStaffNews(
  transaction: WriteTransaction,
  { mapId, reportIds }: { mapId: string; reportIds: readonly string[] },
  now: number,
  delayMs = newsDelayMs,
) {
  if (reportIds.length === 0) return
  const row = await transaction
    .selectFrom('report_settings')
    .select('settings')
    .where('map_id', '=', mapId)
    .executeTakeFirst()
  const { types = {} } = JSON.parse(row?.settings ?? '{}') as {
    types?: Record<string, Partial<TypeSettings>>
  }
  if (Object.values(types).every(({ staffEmails = [] }) => staffEmails.length === 0)) return
  for (const id of reportIds)
    await renewNews(transaction, { mapId, kind: staffNewsJobName, id, runAt: now + delayMs }, now)
}

type NewsJob = { mapId: string; kind: string; id: string; runAt: number }

const renewNews = (transaction: WriteTransaction, { id, ...job }: NewsJob, now: number) =>
  renewJob(transaction, { ...job, key: id, payload: { id, turn: randomUUID() } }, now)

/** Tells subscribers as well, if the map has any. Notes how the incidents stood before, so that an undone change is no news. */
async function queueIncidentNews(
  transaction: WriteTransaction,
  { mapId, incidentIds, before, noteId = '', areNotesOld }: Changed,
  now: number,
) {
  const subscriber = await transaction
    .selectFrom('subscriptions')
    .select('id')
    .where('map_id', '=', mapId)
    .where('confirmed_at', 'is not', null)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!subscriber) {
    // Later subscribers compare with how it stands then.
    await transaction
      .deleteFrom('incident_news')
      .where('map_id', '=', mapId)
      .where('incident_id', 'in', incidentIds)
      .execute()
    return
  }
  const current = () =>
    transaction
      .selectFrom('features')
      .select(['id', 'status', 'fields'])
      .where('map_id', '=', mapId)
      .where('id', 'in', incidentIds)
      .execute()
  const rows = new Map((before ?? (await current())).map((row) => [row.id, row]))
  for (const incidentId of incidentIds.toSorted()) {
    const row = rows.get(incidentId)
    const note = await lastNote(transaction, { mapId, id: incidentId })
      .where('id', '!=', noteId)
      .executeTakeFirst()
    await transaction
      .insertInto('incident_news')
      .values({
        map_id: mapId,
        incident_id: incidentId,
        standing: row ? JSON.stringify(standingOf(row, note)) : null,
        appeared_at: null,
        changed_at: null,
      })
      .onConflict((conflict) => conflict.columns(['map_id', 'incident_id']).doNothing())
      .execute()
    if (areNotesOld) await skipNotesOf(transaction, { mapId, id: incidentId }, note)
    const job = { mapId, kind: incidentNewsJobName, id: incidentId, runAt: now + newsDelayMs }
    await renewNews(transaction, job, now)
  }
}

async function skipNotesOf(
  transaction: WriteTransaction,
  { mapId, id }: { mapId: string; id: string },
  note: { id: string; at: number } | undefined,
) {
  const news = await transaction
    .selectFrom('incident_news')
    .select('standing')
    .where('map_id', '=', mapId)
    .where('incident_id', '=', id)
    .executeTakeFirst()
  if (!news?.standing) return
  const standing = JSON.parse(news.standing) as Standing
  await transaction
    .updateTable('incident_news')
    .set({ standing: JSON.stringify({ ...standing, noteId: note?.id ?? null, noteAt: note?.at ?? 0 }) })
    .where('map_id', '=', mapId)
    .where('incident_id', '=', id)
    .execute()
}
