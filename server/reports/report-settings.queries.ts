import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { defaultReportSettings, type ReportSettings } from '#domain/reports/report-settings.ts'
import type { ReadDatabase, WriteTransaction } from '../database/database.ts'
import type { ReportSettingsTable } from '../database/tables.ts'

export type ReportSettingsVersion = { version: number; settings: ReportSettings }

/** Version 0 has the defaults. */
export async function readReportSettings(read: ReadDatabase, mapId: string): Promise<ReportSettingsVersion> {
  const row = await read
    .selectFrom('report_settings')
    .select(['version', 'settings'])
    .where('map_id', '=', mapId)
    .executeTakeFirst()
  if (!row) return { version: 0, settings: defaultReportSettings }
  const stored = JSON.parse(row.settings) as ReportSettings
  // An earlier version of the program may not have had all types or values.
  const types = Object.fromEntries(
    incidentTypes.map((type) => [type, { ...defaultReportSettings.types[type], ...stored.types[type] }]),
  ) as ReportSettings['types']
  return { version: row.version, settings: { ...defaultReportSettings, ...stored, types } }
}

export async function storeReportSettings(transaction: WriteTransaction, row: ReportSettingsTable) {
  const { map_id: _, ...changed } = row
  await transaction
    .insertInto('report_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('map_id').doUpdateSet(changed))
    .execute()
}
