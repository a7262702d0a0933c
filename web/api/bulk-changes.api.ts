import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BulkChange, BulkOperation, BulkPreview } from '#domain/features/bulk-change.schema.ts'
import type { TableQuery } from './features.api.ts'
import { getJson, newKey, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

export type BulkTarget =
  | { filter: Omit<TableQuery, 'sort'>; except?: readonly string[] }
  | { ids: readonly string[] }

const bulkPath = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}/bulk-changes`
const pathOf = (mapId: string, id: string) => `${bulkPath(mapId)}/${encodeURIComponent(id)}`

/** Never cached: the user decides on it. */
export function bulkPreviewQuery(mapId: string, target: BulkTarget, operation: BulkOperation) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'bulk-preview'), target, operation],
    queryFn: () =>
      sendJson<BulkPreview>('POST', `${bulkPath(mapId)}/preview`, { body: { ...target, ...operation } }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
}

/** `count` is the number of features that the user saw; the server refuses any other. */
export function startBulkChange(
  mapId: string,
  target: BulkTarget,
  operation: BulkOperation,
  count: number,
): Promise<BulkChange> {
  return sendJson('POST', bulkPath(mapId), { body: { id: newKey(), ...target, ...operation, count } })
}

const reloadMs = 500

export function bulkChangeQuery(mapId: string, id: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'bulk-change'), id],
    queryFn: ({ signal }) => getJson<BulkChange>(pathOf(mapId, id), {}, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? reloadMs : false),
  })
}

export function cancelBulkChange(mapId: string, id: string): Promise<BulkChange> {
  return sendJson('POST', `${pathOf(mapId, id)}/cancel`, { body: {} })
}

export function undoBulkChange(mapId: string, id: string): Promise<BulkChange> {
  return sendJson('POST', `${pathOf(mapId, id)}/undo`, { body: { id: newKey() } })
}
