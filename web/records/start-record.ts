import type { QueryClient } from '@tanstack/react-query'
import { noOwnFields } from '#domain/features/own-fields.ts'
import { newKey } from '#web/api/http.ts'
import { ownFieldsQuery } from '#web/api/own-fields.api.ts'
import type { RecordStart } from '#web/workspace/placing.ts'
import { keptDrafts } from './kept-drafts.ts'
import { draftOfNew } from './record-draft.ts'

/** Begins a record that nobody else has yet, and returns its id. */
export function startRecord(
  client: QueryClient,
  editorId: string,
  mapId: string,
  start: RecordStart,
): string {
  const id = newKey()
  // The form takes over what comes later.
  const ownFields = client.getQueryData(ownFieldsQuery(mapId).queryKey)?.fields ?? noOwnFields
  keptDrafts(editorId).keep(draftOfNew(mapId, id, start, ownFields))
  return id
}
