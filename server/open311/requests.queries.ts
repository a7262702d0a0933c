import { sql } from 'kysely'
import type { IncidentType } from '#domain/incidents/incident-types.ts'
import type { WorkState } from '#domain/incidents/work-states.ts'
import type { Database } from '../database/database.ts'
import { firstPublicPhoto } from '../files/files.queries.ts'

type Engine = Pick<Database, 'read' | 'dialect'>

/** Milliseconds, both inclusive. */
export type Period = { from: number; to: number }

export type IncidentFilter = {
  period: Period
  types: readonly IncidentType[] | undefined
  statuses: readonly ('unresolved' | 'resolved')[]
}

/** `date_order` of incidents without a date (server/database/migrations/012-order-in-columns.ts). */
const undated = Number.MAX_SAFE_INTEGER

/** Incidents as visitors see them: with their newest public note and their first public photo. */
function selectIncidents({ read, dialect }: Engine, mapId: string) {
  return read
    .selectFrom('features')
    .select(['id', 'name', 'description', 'type', 'status', 'date', 'lng', 'lat', 'parcel_id'])
    .select(['created_at', 'updated_at'])
    .select([
      dialect.fieldValue(['workState'], 'text').$castTo<WorkState | null>().as('work_state'),
      dialect.fieldValue(['resolvedDate'], 'text').$castTo<string | null>().as('resolved_date'),
      sql<string | null>`(
        select incident_notes.text from incident_notes
        where incident_notes.map_id = features.map_id and incident_notes.incident_id = features.id
          and incident_notes.is_public = 1
        order by incident_notes.at desc, incident_notes.id desc limit 1
      )`.as('note'),
      firstPublicPhoto,
    ])
    .where('map_id', '=', mapId)
    .where('kind', '=', 'incident')
    .where('is_general', '=', 0)
}

export type IncidentRow = Awaited<ReturnType<typeof readIncidents>>[number]

/** Newest first. Undated incidents count as made when they were added. */
export function listIncidents(
  database: Engine,
  mapId: string,
  { period: { from, to }, types, statuses }: IncidentFilter,
  limit: number,
): Promise<IncidentRow[]> {
  return selectIncidents(database, mapId)
    .where(({ eb, and, or }) =>
      or([
        and([eb('date_order', '>=', -to), eb('date_order', '<=', -from)]),
        and([eb('date_order', '=', undated), eb('created_at', '>=', from), eb('created_at', '<=', to)]),
      ]),
    )
    .where('status', 'in', statuses)
    .$if(types !== undefined, (query) =>
      query.where(({ eb, or }) =>
        or([eb('type', 'in', types ?? []), ...(types?.includes('other') ? [eb('type', 'is', null)] : [])]),
      ),
    )
    .orderBy('date_order')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function readIncidents(database: Engine, mapId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  return selectIncidents(database, mapId).where('id', 'in', ids).execute()
}

const selectDuplicates = ({ read }: Engine, mapId: string) =>
  read
    .selectFrom('reports')
    .select(['id', 'duplicate_of', 'made_at', 'decided_at'])
    .where('map_id', '=', mapId)
    .where('state', '=', 'duplicate')

export type DuplicateRow = Awaited<ReturnType<typeof readDuplicates>>[number]

/** Newest first. */
export function listDuplicates(
  database: Engine,
  mapId: string,
  { from, to }: Period,
  limit: number,
): Promise<DuplicateRow[]> {
  return selectDuplicates(database, mapId)
    .where('made_at', '>=', from)
    .where('made_at', '<=', to)
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function readDuplicates(database: Engine, mapId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  return selectDuplicates(database, mapId).where('id', 'in', ids).execute()
}
