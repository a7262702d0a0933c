import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ActivityPage } from '#domain/activity/activity.schema.ts'
import { inPages, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const path = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/activity`
const pageSize = 30

export function activityQuery(mapId: string) {
  return infiniteQueryOptions({
    queryKey: answerKey(mapId, 'activity'),
    ...inPages<ActivityPage>(path(mapId), { limit: pageSize }),
  })
}

export function markActivityRead(mapId: string, at: string): Promise<void> {
  return sendJson('PUT', `${path(mapId)}/read`, { body: { at } })
}
