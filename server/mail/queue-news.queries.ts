import { randomUUID } from 'node:crypto'
import type { WriteTransaction } from '../database/database.ts'
import { renewJob } from '../jobs/jobs.queries.ts'

export const reportNewsJobName = 'report-news'

/** Staff can undo for this long before an email is sent. */
export const newsDelayMs = 10_000

/**
 * Tells reporters by email how their reports stand, soon. Several changes are one message, and none if they were undone.
 * Call it in the transaction of the change.
 */
export async function queueReportNews(
  transaction: WriteTransaction,
  { mapId, incidentIds }: { mapId: string; incidentIds: readonly string[] },
  now: number,
  delayMs = newsDelayMs,
) {
  if (incidentIds.length === 0) return
  const reports = await transaction
    .selectFrom('reports')
    .select('id')
    .where('map_id', '=', mapId)
    .where('email', 'is not', null)
    // In a stable order, to avoid deadlocks.
    .orderBy('id')
    .where(({ eb, or }) => or([eb('id', 'in', incidentIds), eb('duplicate_of', 'in', incidentIds)]))
    .execute()
  for (const { id } of reports) {
    const payload = { id, turn: randomUUID() }
    await renewJob(
      transaction,
      { mapId, kind: reportNewsJobName, key: id, payload, runAt: now + delayMs },
      now,
    )
  }
}
