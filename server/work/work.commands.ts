import type { Person } from '#domain/access/session.schema.ts'
import type { WorkState } from '#domain/incidents/work-states.ts'
import type { NoteChange, WorkStep } from '#domain/work/work.schema.ts'
import { type Actor, insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FeatureColumns, IncidentNotesTable } from '../database/tables.ts'
import { ConflictError, type Expectation, NotFoundError } from '../domain-error.ts'
import { changeFeaturesIn } from '../features/changes/change-features.commands.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { queueReportNews, queueStaffNews } from '../mail/queue-news.queries.ts'
import { requireOpenMapIn } from '../maps/maps.queries.ts'
import { deleteNote, insertNote, isOfReport, readNote, updateNote } from './notes.queries.ts'

type IncidentKey = { mapId: string; incidentId: string }

type Step = IncidentKey & { person: Person; isExpected: Expectation }

/** Changes the work on an incident and adds its notes. Repeating it with the same id changes nothing. */
export function takeWorkStep(
  database: Database,
  { mapId, incidentId, person, isExpected }: Step,
  { id: changeId, state, assignee, due, publicNote, internalNote }: WorkStep,
): Promise<FeatureColumns> {
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    // Neither the map nor the feature is locked here: a change locks features before the map, and ranks before features.
    const row = await requireIncident(transaction, { mapId, incidentId })
    const change = {
      ...(state === undefined ? {} : { workState: state }),
      ...(assignee === undefined ? {} : { assignee: assignee?.trim() || null }),
      ...(due === undefined ? {} : { due }),
    }
    const operation = { action: 'change', id: incidentId, isExpected, change } as const
    const hasChange = Object.keys(change).length > 0
    const [outcome] = hasChange
      ? await changeFeaturesIn(database, transaction, { mapId, person, changeId }, [operation])
      : []
    const notes = [
      { text: publicNote.trim(), isPublic: true, part: 'public' },
      { text: internalNote.trim(), isPublic: false, part: 'internal' },
    ]
    for (const { text, isPublic, part } of notes) {
      if (text === '') continue
      const note = { id: `${changeId}-${part}`, source: 'staff', actor: person, text, isPublic } as const
      await addNote(transaction, { mapId, incidentId }, { ...note, state: state ?? null })
    }
    return outcome?.row ?? row
  })
}

export async function requireIncident(transaction: WriteTransaction, { mapId, incidentId: id }: IncidentKey) {
  const row = (await readRowsOf(transaction, mapId, [id])).get(id)
  if (row?.kind !== 'incident' || row.is_general === 1)
    throw new NotFoundError(`Map ${mapId} has no incident ${id}.`)
  return row
}

type NewNote = {
  id: string
  source: IncidentNotesTable['source']
  actor: Actor
  text: string
  state: WorkState | null
  isPublic: boolean
  reportId?: string
}

/** Notes of others wait until staff publish them. A repeated request adds nothing. */
export async function addNote(
  transaction: WriteTransaction,
  { mapId, incidentId }: IncidentKey,
  { id, source, actor, text, state, isPublic, reportId }: NewNote,
): Promise<IncidentNotesTable> {
  const current = await readNote(transaction, { mapId, id })
  if (current) {
    const isSame = current.incident_id === incidentId && current.text === text
    if (!isSame || (reportId !== undefined && !isOfReport(current, reportId)))
      throw new ConflictError('This id belongs to another note.')
    return current
  }
  const note: IncidentNotesTable = {
    map_id: mapId,
    id,
    incident_id: incidentId,
    at: Date.now(),
    source,
    author: actor.name,
    text,
    state,
    is_public: isPublic ? 1 : 0,
    is_waiting: source === 'staff' ? 0 : 1,
    report_id: reportId ?? null,
    original_text: null,
  }
  await insertNote(transaction, note)
  await announce(transaction, note, actor)
  return note
}

/** Publishes, hides or corrects a note. */
export function changeNote(
  database: Database,
  { mapId, incidentId, id, person }: IncidentKey & { id: string; person: Person },
  { text, isPublic }: NoteChange,
): Promise<IncidentNotesTable> {
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    const note = await requireNote(transaction, { mapId, incidentId, id })
    const columns = {
      is_waiting: 0,
      ...(text === undefined || text.trim() === note.text
        ? {}
        : { text: text.trim(), original_text: note.original_text ?? note.text }),
      ...(isPublic === undefined ? {} : { is_public: isPublic ? 1 : 0 }),
    }
    await updateNote(transaction, { mapId, id }, columns)
    const changed = { ...note, ...columns }
    // Visitors who see the note hear that it is gone.
    const seen = { ...changed, is_public: Math.max(note.is_public, changed.is_public) }
    await announce(transaction, seen, person)
    return changed
  })
}

export function removeNote(
  database: Database,
  { mapId, incidentId, id, person }: IncidentKey & { id: string; person: Person },
): Promise<void> {
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    const note = await requireNote(transaction, { mapId, incidentId, id })
    await deleteNote(transaction, { mapId, id })
    await announce(transaction, note, person)
  })
}

async function requireNote(
  transaction: WriteTransaction,
  { mapId, incidentId, id }: IncidentKey & { id: string },
) {
  const note = await readNote(transaction, { mapId, id })
  if (note?.incident_id !== incidentId) throw new NotFoundError(`Incident ${incidentId} has no note ${id}.`)
  return note
}

/** Names no text, which may be internal. */
async function announce(transaction: WriteTransaction, note: IncidentNotesTable, actor: Actor) {
  const { map_id: mapId, incident_id: incidentId, is_public: isPublic } = note
  const now = Date.now()
  if (isPublic === 1)
    await queueReportNews(transaction, { mapId, incidentIds: [incidentId], noteId: note.id }, now)
  else if (note.source !== 'staff') await queueStaffNews(transaction, { mapId, reportIds: [incidentId] }, now)
  const row = (await readRowsOf(transaction, mapId, [incidentId])).get(incidentId)
  // Until its report is accepted, an incident has no public name.
  const details = { name: row?.name ?? '', isPublic: isPublic === 1 && row !== undefined }
  await insertActivity(
    transaction,
    { mapId, action: 'incident.noted', actor, subject: incidentId, details },
    now,
  )
}
