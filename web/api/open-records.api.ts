import type { OtherViewers } from '#domain/features/open-record.schema.ts'
import { sendJson } from './http.ts'

export type OpenRecord = { mapId: string; id: string; pageId: string }

const openPath = ({ mapId, id, pageId }: OpenRecord) =>
  `/api/maps/${encodeURIComponent(mapId)}/features/${encodeURIComponent(id)}/open-pages/${pageId}`

/** Returns who else has the record open. */
export function reportOpen(record: OpenRecord, isEditing: boolean): Promise<OtherViewers> {
  return sendJson('PUT', openPath(record), { body: { isEditing }, isByItself: true })
}

export function reportClosed(record: OpenRecord): Promise<void> {
  return sendJson('DELETE', openPath(record), { isByItself: true })
}
