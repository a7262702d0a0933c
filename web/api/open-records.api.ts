import type { RecordReaders } from '#domain/features/open-record.schema.ts'
import { newKey, sendJson } from './http.ts'

/** Another one for each tab, and after each reload. */
const pageId = newKey()

const openPath = (mapId: string, id: string) =>
  `/api/maps/${encodeURIComponent(mapId)}/features/${encodeURIComponent(id)}/open-pages/${pageId}`

/** Tells that this page has a record open; answers who else has. */
export function sayOpen(mapId: string, id: string, isEditing: boolean): Promise<RecordReaders> {
  return sendJson('PUT', openPath(mapId, id), { body: { isEditing }, isByItself: true })
}

export function sayClosed(mapId: string, id: string): Promise<void> {
  return sendJson('DELETE', openPath(mapId, id), { isByItself: true })
}
