import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type { Challenge } from '#domain/reports/proof-of-work.ts'
import type {
  BlockedSenders,
  MergedIncident,
  Report,
  ReportChange,
  ReportDecision,
  ReportForReporter,
  ReportList,
  SentReport,
  SimilarIncidents,
  StaffReportChange,
} from '#domain/reports/report.schema.ts'
import type { ReportState } from '#domain/reports/report-states.ts'
import type { NewComment } from '#domain/work/work.schema.ts'
import { getJson, type LinkKey, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'
import type { PhotosByLink } from './photos-by-link.api.ts'

const pathOf = (mapId: string, rest = '') => `/api/maps/${encodeURIComponent(mapId)}/reports${rest}`

export type OwnReport = { mapId: string; id: string; key: string }

const keyOf = ({ key }: OwnReport): LinkKey => ({ 'report-key': key })

const ownPath = ({ mapId, id }: OwnReport, rest = '') => pathOf(mapId, `/${encodeURIComponent(id)}${rest}`)

export const requestChallenge = (mapId: string): Promise<Challenge> =>
  sendJson('POST', pathOf(mapId, '/challenge'), { body: {}, isByItself: true })

export const sendReport = (mapId: string, report: SentReport): Promise<ReportForReporter> =>
  sendJson('POST', pathOf(mapId), { body: report, isByItself: true })

export function ownReportQuery(own: OwnReport) {
  const { mapId, id } = own
  return queryOptions({
    queryKey: [...answerKey(mapId, 'reports'), 'own', id] as const,
    queryFn: ({ signal }) =>
      getJson<ReportForReporter>(ownPath(own, '/own'), {}, signal, { linkKey: keyOf(own) }),
  })
}

export const changeOwnReport = (own: OwnReport, change: ReportChange): Promise<ReportForReporter> =>
  sendJson('PATCH', ownPath(own, '/own'), { body: change, linkKey: keyOf(own) })

export const withdrawReport = (own: OwnReport): Promise<ReportForReporter> =>
  sendJson('POST', ownPath(own, '/own/withdraw'), { body: {}, linkKey: keyOf(own) })

export const commentOnReport = (own: OwnReport, comment: NewComment): Promise<ReportForReporter> =>
  sendJson('POST', ownPath(own, '/own/comments'), { body: comment, linkKey: keyOf(own) })

/** `key` is that of the email. */
export const confirmReport = (own: OwnReport): Promise<ReportForReporter> =>
  sendJson('POST', ownPath(own, '/confirm'), { body: {}, linkKey: keyOf(own) })

export const endEmails = (own: OwnReport): Promise<ReportForReporter> =>
  sendJson('POST', ownPath(own, '/own/end-emails'), { body: {}, linkKey: keyOf(own) })

export const ownPhotos = (own: OwnReport): PhotosByLink => ({
  path: ownPath(own),
  linkKey: keyOf(own),
  queryKey: ownReportQuery(own).queryKey,
})

export function similarIncidentsQuery(mapId: string, place: LatLng) {
  // About a meter.
  const [lat, lng] = [place.lat.toFixed(5), place.lng.toFixed(5)]
  return queryOptions({
    queryKey: [...answerKey(mapId, 'reports'), 'similar', lat, lng] as const,
    queryFn: ({ signal }) => getJson<SimilarIncidents>(pathOf(mapId, '/similar'), { lat, lng }, signal),
    placeholderData: keepPreviousData,
  })
}

export function reportsQuery(mapId: string, state: ReportState) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'reports'), 'list', state] as const,
    queryFn: ({ signal }) => getJson<ReportList>(pathOf(mapId), { state }, signal),
  })
}

type Seen = Pick<Report, 'id' | 'version'>

export const changeReport = (mapId: string, { id, version }: Seen, change: StaffReportChange) =>
  sendJson<Report>('PATCH', pathOf(mapId, `/${encodeURIComponent(id)}`), { body: change, ifMatch: version })

export const decideReport = (mapId: string, { id, version }: Seen, decision: Partial<ReportDecision>) =>
  sendJson<Report>('PUT', pathOf(mapId, `/${encodeURIComponent(id)}/decision`), {
    body: decision,
    ifMatch: version,
  })

const incidentPath = (mapId: string, id: string, rest: string) =>
  `/api/maps/${encodeURIComponent(mapId)}/incidents/${encodeURIComponent(id)}${rest}`

export const mergeIncident = (
  { mapId, id, version }: { mapId: string; id: string; version: number },
  into: string,
) => sendJson<MergedIncident>('POST', incidentPath(mapId, id, '/merge'), { body: { into }, ifMatch: version })

export const undoMerge = (mapId: string, id: string) =>
  sendJson<null>('POST', incidentPath(mapId, id, '/undo-merge'), { body: {} })

export function blockedSendersQuery(mapId: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'reports'), 'blocked-senders'] as const,
    queryFn: ({ signal }) =>
      getJson<BlockedSenders>(`/api/maps/${encodeURIComponent(mapId)}/blocked-senders`, {}, signal),
  })
}

const blockPath = (mapId: string, reportId: string) => pathOf(mapId, `/${encodeURIComponent(reportId)}/block`)

export const blockSender = (mapId: string, reportId: string, days: number) =>
  sendJson<null>('PUT', blockPath(mapId, reportId), { body: { days } })

export const unblockSender = (mapId: string, reportId: string) =>
  sendJson<null>('DELETE', blockPath(mapId, reportId))
