import { sql } from 'kysely'
import type { Box } from '#domain/geometry/box.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { boxAroundPlace, metersBetween, scaleAt } from '#domain/geometry/scale.ts'
import { type Severity, severityRadiusMeters } from '#domain/incidents/incident-types.ts'
import type { SimilarIncident } from '#domain/reports/report.schema.ts'
import type { ReportState } from '#domain/reports/report-states.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { ReportsTable } from '../database/tables.ts'
import { updateById } from '../database/update-by-id.ts'
import { firstPublicPhoto } from '../files/files.queries.ts'
import { countReporters } from '../merges/merges.queries.ts'

type Key = { mapId: string; id: string }

const select = (read: ReadDatabase, mapId: string) =>
  read.selectFrom('reports').selectAll().where('map_id', '=', mapId)

const selectReport = (read: ReadDatabase, { mapId, id }: Key) => select(read, mapId).where('id', '=', id)

export const readReport = (read: ReadDatabase, key: Key) => selectReport(read, key).executeTakeFirst()

export const lockReport = ({ dialect }: Database, transaction: WriteTransaction, key: Key) =>
  dialect.lockForUpdate(selectReport(transaction, key)).executeTakeFirst()

/** With the reports that a merge of it moves, in a stable order to avoid deadlocks. */
export async function lockReportToMerge(
  { dialect }: Database,
  transaction: WriteTransaction,
  { mapId, id }: Key,
) {
  const rows = await dialect
    .lockForUpdate(
      select(transaction, mapId)
        .where(({ or, eb, selectFrom }) =>
          or([
            eb('id', '=', id),
            eb('duplicate_of', '=', id),
            eb(
              'id',
              'in',
              selectFrom('merged_items')
                .select('item_id')
                .where('map_id', '=', mapId)
                .where('source_id', '=', id)
                .where('kind', '=', 'report'),
            ),
          ]),
        )
        .orderBy('id'),
    )
    .execute()
  return rows.find((row) => row.id === id)
}

export async function insertReport(transaction: WriteTransaction, row: ReportsTable) {
  await transaction.insertInto('reports').values(row).execute()
}

export const updateReport = (transaction: WriteTransaction, key: Key, columns: Partial<ReportsTable>) =>
  updateById(transaction, 'reports', key, columns)

/** The identity of reporters is erased a year after the decision. */
const yearMs = 365 * 86_400_000

export async function eraseReporters(transaction: WriteTransaction, now: number) {
  await transaction
    .updateTable('reports')
    .set({ email: null, email_secret: null, sender: null, ended_emails: '' })
    .where(({ or, eb }) =>
      or([eb('email', 'is not', null), eb('sender', 'is not', null), eb('ended_emails', '!=', '')]),
    )
    .where('decided_at', '<', now - yearMs)
    .execute()
}

/** Call it while the map is locked. */
export async function nextReportNumber(transaction: WriteTransaction, mapId: string): Promise<number> {
  const { last } = await transaction
    .selectFrom('reports')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .where('map_id', '=', mapId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Oldest first. */
export async function listReports(
  read: ReadDatabase,
  { mapId, state }: { mapId: string; state: ReportState },
  limit: number,
): Promise<{ rows: ReportsTable[]; total: number }> {
  const reports = read.selectFrom('reports').where('map_id', '=', mapId).where('state', '=', state)
  const rows = await reports.selectAll().orderBy('number').limit(limit).execute()
  const { total } = await reports
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** In all states, by number. */
export const listReportsAfter = (
  read: ReadDatabase,
  { mapId, after }: { mapId: string; after: number },
  limit: number,
): Promise<ReportsTable[]> =>
  select(read, mapId).where('number', '>', after).orderBy('number').limit(limit).execute()

const recentlyResolvedMs = 14 * 86_400_000
const maxRadiusMeters = Math.max(...Object.values(severityRadiusMeters))
const maxCompared = 500

/** Incidents whose severity circle covers the place: open ones, and those that were resolved recently. Nearest first. */
export async function readSimilarIncidents(
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  { mapId, place, now }: { mapId: string; place: LatLng; now: number },
  limit: number,
): Promise<SimilarIncident[]> {
  const scale = scaleAt(place.lat)
  const resolvedDate = dialect.fieldValue(['resolvedDate'], 'text').$castTo<string | null>()
  const rows = await read
    .selectFrom('features')
    .select(['id', 'name', 'description', 'type', 'status', 'severity', 'date', 'lng', 'lat'])
    .select(firstPublicPhoto)
    .where('map_id', '=', mapId)
    .where('kind', '=', 'incident')
    .where('is_general', '=', 0)
    .where(dialect.intersects(mapId, boxAroundPlace(place, maxRadiusMeters)))
    .where(({ eb, or }) =>
      or([
        eb('status', '=', 'unresolved'),
        eb(resolvedDate, '>', new Date(now - recentlyResolvedMs).toISOString()),
      ]),
    )
    .orderBy('date', 'desc')
    .orderBy('id')
    .limit(maxCompared)
    .execute()
  const near = rows
    .map((row) => ({ row, distance: metersBetween([place.lng, place.lat], [row.lng, row.lat], scale) }))
    .filter(
      ({ row, distance }) => distance <= severityRadiusMeters[(row.severity as Severity | null) ?? 'unknown'],
    )
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, limit)
  const reporters = await countReporters(read, { mapId, incidentIds: near.map(({ row }) => row.id) })
  return near.map(({ row, distance }) => ({
    id: row.id,
    title: row.name,
    description: row.description,
    type: row.type as SimilarIncident['type'],
    resolved: row.status === 'resolved',
    date: row.date === null ? null : new Date(row.date).toISOString(),
    distanceMeters: Math.round(distance),
    photoId: row.photo_id,
    reporters: reporters.get(row.id) ?? 0,
  }))
}

/** Larger shapes would take long to draw. */
const maxDrawn = { parcels: 150, characters: 50_000 }

/** GeoJSON geometries. */
export async function readParcelsIn(
  { read, dialect }: Pick<Database, 'read' | 'dialect'>,
  mapId: string,
  box: Box,
): Promise<string[]> {
  const rows = await read
    .selectFrom('features')
    .select('geometry')
    .where('map_id', '=', mapId)
    .where('kind', '=', 'parcel')
    .where(dialect.intersects(mapId, box))
    .where(sql<boolean>`length(geometry) <= ${maxDrawn.characters}`)
    .orderBy('id')
    .limit(maxDrawn.parcels)
    .execute()
  return rows.map(({ geometry }) => geometry)
}
