import type { IncidentNote } from '#domain/work/work.schema.ts'
import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { IncidentNotesTable } from '../database/tables.ts'
import { updateById } from '../database/update-by-id.ts'

type Key = { mapId: string; id: string }

export const insertNote = (transaction: WriteTransaction, row: IncidentNotesTable) =>
  transaction.insertInto('incident_notes').values(row).execute()

const selectNotes = (read: ReadDatabase, mapId: string) =>
  read.selectFrom('incident_notes').selectAll().where('map_id', '=', mapId)

export const readNote = (read: ReadDatabase, { mapId, id }: Key) =>
  selectNotes(read, mapId).where('id', '=', id).executeTakeFirst()

export const updateNote = (transaction: WriteTransaction, key: Key, columns: Partial<IncidentNotesTable>) =>
  updateById(transaction, 'incident_notes', key, columns)

export async function deleteNote(transaction: WriteTransaction, { mapId, id }: Key) {
  await transaction.deleteFrom('incident_notes').where('map_id', '=', mapId).where('id', '=', id).execute()
}

/** More notes on one incident are not listed. */
const maxListed = 500

type Sight = 'public' | 'everything'

/** Oldest first. */
export function listNotes(
  read: ReadDatabase,
  { mapId, incidentIds }: { mapId: string; incidentIds: readonly string[] },
  sight: Sight,
): Promise<IncidentNotesTable[]> {
  return selectNotes(read, mapId)
    .where('incident_id', 'in', incidentIds)
    .$if(sight === 'public', (query) => query.where('is_public', '=', 1))
    .orderBy('at')
    .orderBy('id')
    .limit(maxListed)
    .execute()
}

export async function countNotesFrom(
  read: ReadDatabase,
  { mapId, incidentId }: { mapId: string; incidentId: string },
  source: IncidentNotesTable['source'],
): Promise<number> {
  const { total } = await read
    .selectFrom('incident_notes')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('map_id', '=', mapId)
    .where('incident_id', '=', incidentId)
    .where('source', '=', source)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Comments of the reporter, also after the report was merged into an incident. */
export async function countCommentsOf(read: ReadDatabase, { mapId, id }: Key): Promise<number> {
  const { total } = await read
    .selectFrom('incident_notes')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('map_id', '=', mapId)
    .where('source', '=', 'reporter')
    .where(({ or, and, eb }) =>
      or([eb('report_id', '=', id), and([eb('report_id', 'is', null), eb('incident_id', '=', id)])]),
    )
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Comments of the reporters, oldest first. Merges copy descriptions into notes as well. */
export const listCommentsOf = (
  read: ReadDatabase,
  { mapId, reportIds }: { mapId: string; reportIds: readonly string[] },
): Promise<IncidentNotesTable[]> =>
  selectNotes(read, mapId)
    .where('source', '=', 'reporter')
    .where('report_id', 'in', reportIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('merges')
            .select('note_id')
            .whereRef('merges.map_id', '=', 'incident_notes.map_id')
            .whereRef('merges.note_id', '=', 'incident_notes.id'),
        ),
      ),
    )
    .orderBy('at')
    .orderBy('id')
    .execute()

/** Whether the reporter of this report wrote the note. */
export const isOfReport = ({ source, report_id, incident_id }: IncidentNotesTable, id: string) =>
  source === 'reporter' && (report_id ?? incident_id) === id

/** Visitors do not see names of people. */
export function toNote(row: IncidentNotesTable, isStaff: boolean): IncidentNote {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    source: row.source,
    author: isStaff ? row.author : null,
    text: row.text,
    originalText: isStaff ? row.original_text : null,
    state: row.state,
    isPublic: row.is_public === 1,
    isWaiting: row.is_waiting === 1,
  }
}
