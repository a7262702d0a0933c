import { queryOptions } from '@tanstack/react-query'
import type { ReportSettingsAnswer } from '#domain/reports/report-settings.schema.ts'
import type { ReportForm, ReportSettings } from '#domain/reports/report-settings.ts'
import type { TestMailAnswer } from '#domain/reports/test-mail.schema.ts'
import { getJson, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const pathOf = (mapId: string, name: string) => `/api/maps/${encodeURIComponent(mapId)}/${name}`

/** For everyone. */
export function reportFormQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'report-form'),
    queryFn: ({ signal }) => getJson<ReportForm>(pathOf(mapId, 'report-form'), {}, signal),
  })
}

/** For staff. */
export function reportSettingsQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'report-settings'),
    queryFn: ({ signal }) => getJson<ReportSettingsAnswer>(pathOf(mapId, 'report-settings'), {}, signal),
  })
}

export const changeReportSettings = (mapId: string, version: number, settings: ReportSettings) =>
  sendJson<ReportSettingsAnswer>('PUT', pathOf(mapId, 'report-settings'), {
    body: settings,
    ifMatch: version,
  })

export const sendTestEmail = (mapId: string, email: string): Promise<TestMailAnswer> =>
  sendJson('POST', pathOf(mapId, 'report-settings/test-email'), { body: { email } })
