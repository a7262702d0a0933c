import type { Database, WriteTransaction } from '../database/database.ts'
import type { ReportsTable } from '../database/tables.ts'
import { queueReportNews } from '../mail/queue-news.queries.ts'
import { readToday } from '../maps/time-zone.queries.ts'
import { moveIncident } from './move-incident.commands.ts'
import { readReportSettings } from './report-settings.queries.ts'
import { reporterOf, requireReport, resident, update } from './reports.commands.ts'

type Key = { mapId: string; id: string }

/**
 * Puts a report on the map that needs no review, in a transaction after that of its arrival: the incident is locked
 * before the map. A repeated request completes it.
 */
export async function publishAtOnce(database: Database, report: ReportsTable): Promise<ReportsTable> {
  if (!isWaitingFor(report, 'immediate')) return report
  return publish(database, { mapId: report.map_id, id: report.id }, 'immediate')
}

/** Call it after the key of the email was checked. Idempotent. */
export const confirmReport = (database: Database, key: Key): Promise<ReportsTable> =>
  publish(database, key, 'confirmed')

const isWaitingFor = ({ state, publication }: ReportsTable, step: 'immediate' | 'confirmed') =>
  state === 'new' && publication === step

async function publish(database: Database, key: Key, step: 'immediate' | 'confirmed'): Promise<ReportsTable> {
  const today = await readToday(database, key.mapId)
  return database.write(async (transaction) => {
    const row = await requireReport(database, transaction, key)
    if (!isWaitingFor(row, step) || (await isReviewedNow(transaction, key.mapId))) return row
    const person = reporterOf(row.id)
    await moveIncident(database, transaction, { row, person, today, state: 'accepted' })
    const now = Date.now()
    const columns = { state: 'accepted', publication: 'review', decided_at: now } as const
    const published = await update(transaction, row, columns, ['report.published', resident])
    await queueReportNews(transaction, { mapId: key.mapId, incidentIds: [row.id] }, now)
    return published
  })
}

/** The association may have changed its mind since the report arrived. */
async function isReviewedNow(transaction: WriteTransaction, mapId: string): Promise<boolean> {
  return (await readReportSettings(transaction, mapId)).settings.publication === 'review'
}
