import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import type { DecidedState } from '#domain/reports/report-states.ts'
import { maxNote } from '#domain/work/work-views.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { WriteTransaction } from '../database/database.ts'
import type { IncidentNotesTable, MergesTable, ReportsTable } from '../database/tables.ts'
import { RefusedError } from '../domain-error.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { queueReportNews } from '../mail/queue-news.queries.ts'
import { deleteMerge, insertMerge, readMerge, restoreItems } from '../merges/merges.queries.ts'
import { insertNote } from '../work/notes.queries.ts'

type Source = {
  mapId: string
  id: string
  title: string
  description: string
  madeAt: number
  /** The decision before. Null for an incident without a report. */
  previous: Previous | null
}

/**
 * Moves photos, notes and followers of a duplicate to the target. Call it while the map is locked, after the incident of
 * the duplicate left the map.
 */
export async function mergeIn(
  transaction: WriteTransaction,
  { mapId, id, title, description, madeAt, previous }: Source,
  { target, field, person }: { target: string; field: string; person: Person },
): Promise<void> {
  await requireIncident(transaction, { mapId, id: target }, field)
  const hasText = description.trim() !== ''
  const merge: MergesTable = {
    map_id: mapId,
    source_id: id,
    target_id: target,
    title,
    note_id: hasText ? randomUUID() : null,
    previous: previous && JSON.stringify(previous),
    at: Date.now(),
    actor: person.name,
  }
  await insertMerge(transaction, merge)
  if (merge.note_id !== null)
    await insertNote(transaction, {
      map_id: mapId,
      id: merge.note_id,
      incident_id: target,
      at: madeAt,
      ...(previous
        ? { source: 'reporter', author: 'A resident', is_waiting: 1 }
        : { source: 'staff', author: person.name, is_waiting: 0 }),
      text: description.trim().slice(0, maxNote),
      state: null,
      is_public: 0,
      report_id: previous && id,
      original_text: null,
    } satisfies IncidentNotesTable)
  await announce(transaction, merge, { target, action: 'incident.merged', person })
}

/**
 * Ends a merge, so that its incident can return to the map. Complete it with `unmerge` while the map is locked. Undefined
 * if the duplicate is not merged.
 */
export async function endMerge(transaction: WriteTransaction, key: { mapId: string; id: string }) {
  const merge = await readMerge(transaction, key)
  if (merge) await deleteMerge(transaction, merge)
  return merge
}

/** Moves photos, notes and followers back. */
export async function unmerge(transaction: WriteTransaction, merge: MergesTable, person: Person) {
  const target = await restoreItems(transaction, merge)
  await announce(transaction, merge, { target, action: 'incident.unmerged', person })
}

type Previous = Pick<ReportsTable, 'public_note' | 'decided_by' | 'decided_at'> & {
  state: Exclude<DecidedState, 'duplicate'>
}

export function previousOf({ state, public_note, decided_by, decided_at }: ReportsTable): Previous {
  const isOpen = state === 'duplicate' || state === 'withdrawn'
  return { state: isOpen ? 'new' : state, public_note, decided_by, decided_at }
}

/** The decision before the merge, of a report. */
export function readPrevious({ previous }: MergesTable): Previous | null {
  return previous === null ? null : (JSON.parse(previous) as Previous)
}

export async function requireIncident(
  transaction: WriteTransaction,
  { mapId, id }: { mapId: string; id: string },
  field: string,
) {
  const row = (await readRowsOf(transaction, mapId, [id])).get(id)
  if (row?.kind === 'incident' && row.is_general === 0) return row
  const merge = await readMerge(transaction, { mapId, id })
  if (!merge) throw new RefusedError(field, 'must be an incident on this map')
  throw new RefusedError(field, `was merged into incident ${merge.target_id}. Choose that one`)
}

type News = { target: string; action: 'incident.merged' | 'incident.unmerged'; person: Person }

/** Names only the remaining incident: the duplicate may be a report, which is not public. */
async function announce(
  transaction: WriteTransaction,
  { map_id: mapId, source_id }: MergesTable,
  { target, action, person }: News,
) {
  const now = Date.now()
  await queueReportNews(transaction, { mapId, incidentIds: [source_id, target], areNotesOld: true }, now)
  const row = (await readRowsOf(transaction, mapId, [target])).get(target)
  const details = { name: row?.name ?? '', isPublic: row !== undefined }
  await insertActivity(transaction, { mapId, action, actor: person, subject: target, details }, now)
}
