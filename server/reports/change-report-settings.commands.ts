import type { Person } from '#domain/access/session.schema.ts'
import {
  partsOfSettings,
  type ReportSettings,
  settingsParts,
  toReportForm,
} from '#domain/reports/report-settings.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { recordActivity } from '../activity/activity.queries.ts'
import type { Database } from '../database/database.ts'
import { type Expectation, expectVersion } from '../domain-error.ts'
import { queueBoardDigest } from '../mail/queue-digest.queries.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import {
  type ReportSettingsVersion,
  readReportSettings,
  storeReportSettings,
} from './report-settings.queries.ts'

type Request = { mapId: string; person: Person; isExpected: Expectation }

export async function changeReportSettings(
  database: Database,
  { mapId, person, isExpected }: Request,
  settings: ReportSettings,
): Promise<ReportSettingsVersion> {
  const timeZone = await readTimeZone(database, mapId)
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const current = await readReportSettings(transaction, mapId)
    expectVersion(isExpected, current.version, `The report settings of map ${mapId}`)
    const [before, after] = [current.settings, settings].map(partsOfSettings) as [Parts, Parts]
    const parts = settingsParts.filter((part) => !isEqual(before[part], after[part]))
    if (parts.length === 0) return current
    const version = current.version + 1
    const now = Date.now()
    await storeReportSettings(transaction, {
      map_id: mapId,
      version,
      settings: JSON.stringify(settings),
      changed_at: now,
      changed_by: person.name,
    })
    const { board, digestHour: hour } = settings.emails
    if (parts.includes('emails') && board.length > 0)
      await queueBoardDigest(transaction, { mapId, hour, timeZone })
    const isPublic = !isEqual(toReportForm(current.settings, true), toReportForm(settings, true))
    const { publication } = settings
    const details = { version, parts, publication, isPublic }
    const changed = { mapId, actor: person, action: 'report-settings.changed', details } as const
    await recordActivity(transaction, changed, now)
    return { version, settings }
  })
}

type Parts = ReturnType<typeof partsOfSettings>
