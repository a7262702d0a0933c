import { newKey } from '#web/api/http.ts'
import type { RecordStart } from '#web/workspace/placing.ts'
import { keptDrafts } from './kept-drafts.ts'
import { draftOfNew } from './record-draft.ts'

/** Begins a record that nobody else has yet, and returns its id. */
export function startRecord(editorId: string, mapId: string, start: RecordStart): string {
  const id = newKey()
  keptDrafts(editorId).keep(draftOfNew(mapId, id, start))
  return id
}
