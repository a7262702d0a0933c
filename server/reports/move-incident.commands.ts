import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import { featureName } from '#domain/features/definitions.ts'
import { dayAfter } from '#domain/maintenance/due.ts'
import type { ReportDecision } from '#domain/reports/report.schema.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FeatureColumns, RemovedFeaturesTable, ReportsTable } from '../database/tables.ts'
import { ConflictError } from '../domain-error.ts'
import { changeFeaturesIn } from '../features/changes/change-features.commands.ts'
import { readRemoved } from '../features/history/feature-history.queries.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'
import { toNewFeature } from '../features/rows/feature-row.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { readFilesOf, updateFile } from '../files/files.queries.ts'
import { readReportSettings } from './report-settings.queries.ts'

type Operation = Parameters<typeof changeFeaturesIn>[3][number]

type Move = { row: ReportsTable; person: Person; today: string; state: ReportDecision['state'] }

/** Returns the columns that follow from it: the report takes over changes of its incident. */
export async function moveIncident(
  database: Database,
  transaction: WriteTransaction,
  { row, person, today, state }: Move,
): Promise<Partial<ReportsTable>> {
  const { map_id: mapId, id } = row
  const change = { mapId, person, changeId: randomUUID(), reportId: id }
  const make = (operation: Operation) => changeFeaturesIn(database, transaction, change, [operation])
  const current = (await readRowsOf(transaction, mapId, [id])).get(id)
  const removed = current ? undefined : (await readRemoved(transaction, mapId, [id])).get(id)
  const isForeign = [current, removed].some((feature) => feature && !isIncidentOf(row, feature))
  if (isForeign && (state === 'accepted' || state === 'duplicate'))
    throw new ConflictError(
      `Feature ${id} has the id of report ${row.number}, but was not made from it. Add an incident by hand.`,
    )
  if (isForeign) return {}
  if (state === 'accepted') {
    if (current) return {}
    // Its history continues, if it was on the map before.
    const [restored] = removed ? await make({ action: 'restore', id }) : []
    const given = restored?.row ? (JSON.parse(restored.row.fields) as { due?: string | null }).due : null
    const incident = { ...incidentOf(row), due: given ?? (await proposeDue(transaction, row, today)) }
    const operation: Operation = removed
      ? { action: 'change', id, isExpected: () => true, change: incident }
      : { action: 'add', feature: { kind: 'incident', id, mapId, ...incident } }
    await changeFeaturesIn(database, transaction, { ...change, changeId: randomUUID() }, [operation])
    return {}
  }
  if (!current) return {}
  await make({ action: 'remove', id, isExpected: () => true })
  const incident = toNewFeature(current)
  if (incident.kind !== 'incident') return {}
  const { description, type, severity } = incident
  return {
    title: featureName(incident),
    description,
    type: type ?? row.type,
    severity,
    lng: current.lng,
    lat: current.lat,
  }
}

/** Earlier versions let a report take the id of another feature. */
function isIncidentOf(report: ReportsTable, feature: FeatureColumns | RemovedFeaturesTable): boolean {
  const kind = 'is_general' in feature ? kindOfRow(feature) : feature.kind
  return kind === 'incident' && feature.created_at >= report.created_at
}

/** In the time zone of the association, as `today` is. */
async function proposeDue(
  transaction: WriteTransaction,
  { map_id: mapId, type }: ReportsTable,
  today: string,
) {
  const { dueDays } = (await readReportSettings(transaction, mapId)).settings.types[type]
  return dueDays === null ? null : dayAfter(today, dueDays)
}

const incidentOf = ({ title, description, type, severity, lng, lat, made_at }: ReportsTable) => ({
  title,
  description,
  type,
  severity,
  date: new Date(made_at).toISOString(),
  geometry: { type: 'Point' as const, coordinates: [lng, lat] as [number, number] },
})

export async function publishPhotos(transaction: WriteTransaction, { map_id: mapId, id }: ReportsTable) {
  const files = await readFilesOf(transaction, mapId, id)
  for (const file of files)
    if (file.is_public === 0 && file.removed_at === null && file.kind === 'photo')
      await updateFile(transaction, { mapId, id: file.id }, { is_public: 1, version: file.version + 1 })
}
