import type { Person } from '#domain/access/session.schema.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Database } from '../database/database.ts'
import { ConflictError } from '../domain-error.ts'
import { deleteBlock, storeBlock } from './blocked-senders.queries.ts'
import { requireReport } from './reports.commands.ts'

type Request = { mapId: string; id: string; person: Person }

/** The address that sent this report cannot send others for so many days. */
export function blockSender(database: Database, { mapId, id, person }: Request, days: number): Promise<void> {
  return database.write(async (transaction) => {
    const report = await requireReport(database, transaction, { mapId, id })
    if (report.sender === null)
      throw new ConflictError('The sender of this report is not known, and cannot be blocked.')
    const now = Date.now()
    const until = now + days * 86_400_000
    await storeBlock(transaction, {
      map_id: mapId,
      sender: report.sender,
      report_id: id,
      until,
      blocked_by: person.name,
    })
    const details = { number: report.number, name: report.title, days }
    const noted = { mapId, action: 'report.sender-blocked', actor: person, subject: id, details } as const
    await insertActivity(transaction, noted, now)
  })
}

/** Idempotent. */
export function unblockSender(database: Database, { mapId, id, person }: Request): Promise<void> {
  return database.write(async (transaction) => {
    const { number, title: name } = await requireReport(database, transaction, { mapId, id })
    if (!(await deleteBlock(transaction, { mapId, reportId: id }))) return
    const details = { number, name }
    const noted = { mapId, action: 'report.sender-unblocked', actor: person, subject: id, details } as const
    await insertActivity(transaction, noted, Date.now())
  })
}
