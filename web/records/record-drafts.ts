import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { formatList } from '#domain/values/wording.ts'
import { customFieldsQuery } from '#web/api/custom-fields.api.ts'
import { newKey } from '#web/api/http.ts'
import type { PageBasis } from '#web/ui/undo-offers.ts'
import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'
import { publishUnsavedRecords } from '#web/ui/unsaved/unsaved-records.ts'
import { addUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import type { RecordStart } from '#web/workspace/placing.ts'
import {
  changesOf,
  type Draft,
  draftOfNew,
  formFields,
  isNew,
  titleOf,
  withCustomFields,
} from './record-draft.ts'

type RecordId = Pick<FeatureDetail, 'mapId' | 'id'>

export type RecordDrafts = ReturnType<typeof recordDrafts>

export const recordDrafts = defineTabStore({
  name: 'unsaved-records',
  empty: [] as readonly Draft[],
  read: (stored) => (stored as StoredDraft[]).map(toDraft).filter(isReadable),
  open(store) {
    const others = ({ mapId, id }: RecordId) =>
      store.get().filter(({ base }) => base.mapId !== mapId || base.id !== id)
    const find = ({ mapId, id }: RecordId) =>
      store.get().find(({ base }) => base.mapId === mapId && base.id === id) ?? null
    return {
      find,
      listen: store.listen,
      use: store.use,
      changed: () => store.get().filter((draft) => changesOf(draft).length > 0),
      save: (draft: Draft) => store.set([...others(draft.base), draft]),
      discard(record: RecordId) {
        if (find(record)) store.set(others(record))
      },
      discardAll: () => store.set([]),
    }
  },
})

/** An earlier version stored conflicts as `asked`, and updates as `told`. */
type StoredDraft = Draft & { asked?: readonly string[]; told?: readonly string[] }

export const toDraft = ({ asked = [], told = [], ...draft }: StoredDraft): Draft => ({
  ...draft,
  conflicts: draft.conflicts ?? asked,
  updated: draft.updated ?? told,
})

export const isReadable = ({ base, customFields, values, geometry }: Draft) =>
  base.kind in definitions &&
  customFields !== undefined &&
  geometry !== undefined &&
  formFields({ base, customFields }).every(({ path }) => typeof values[path] === 'string')

/** The draft must be unchanged for an undo that replaces or restores it. */
export function unchangedDraft(drafts: RecordDrafts, record: RecordId): PageBasis {
  const draft = drafts.find(record)
  return {
    mapId: record.mapId,
    of: 'page',
    isAsLeft: () => drafts.find(record) === draft,
    listen: drafts.listen,
  }
}

export function announceDrafts(drafts: RecordDrafts): () => void {
  const publish = () => publishUnsavedRecords(drafts.changed().map(({ base }) => base))
  publish()
  const stops = [
    drafts.listen(publish),
    () => publishUnsavedRecords([]),
    addUnsavedWork({
      isStored: true,
      describe: () => drafts.changed().map(describe).join('; ') || null,
      discard: drafts.discardAll,
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const describe = (draft: Draft) => {
  const labels = changesOf(draft).map(({ label }) => label)
  return `‘${titleOf(draft)}’: ${isNew(draft.base) ? 'not added yet' : formatList(labels)}`
}

export function startRecord(
  client: QueryClient,
  editorId: string,
  mapId: string,
  start: RecordStart,
): string {
  const id = newKey()
  // Fields that load later are added by `useCurrentFields`.
  const customFields = client.getQueryData(customFieldsQuery(mapId).queryKey)?.fields ?? noCustomFields
  recordDrafts(editorId).save(draftOfNew(mapId, id, start, customFields))
  return id
}

/** Keeps a draft up to date with the client's custom fields, which a manager may change meanwhile. */
export function useCurrentFields(drafts: RecordDrafts, draft: Draft | null, mapId: string) {
  const customFields = useQuery(customFieldsQuery(mapId)).data?.fields
  useEffect(() => {
    if (!draft || !customFields || isEqual(draft.customFields, customFields)) return
    drafts.save(withCustomFields(draft, customFields))
  }, [drafts, draft, customFields])
}
