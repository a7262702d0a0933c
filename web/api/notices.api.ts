import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { NoticeReach } from '#domain/subscriptions/notice.schema.ts'
import type { BulkTarget } from './bulk-changes.api.ts'
import { sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

type NoticeArea = { target: BulkTarget; meters: number }
const pathOf = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/notices`

/** Never cached: the user decides on it. */
export function noticeReachQuery(mapId: string, { target, meters }: NoticeArea) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'notice-reach'), target, meters] as const,
    queryFn: () => sendJson<NoticeReach>('POST', `${pathOf(mapId)}/preview`, { body: { ...target, meters } }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
}

/** A repeated request with the same id sends nothing. */
export const sendNotice = (
  mapId: string,
  { target, meters, ...notice }: NoticeArea & { id: string; subject: string; message: string },
): Promise<{ people: number }> => sendJson('POST', pathOf(mapId), { body: { ...target, meters, ...notice } })
