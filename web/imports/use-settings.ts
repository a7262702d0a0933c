import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportDraft, ImportSettings } from '#domain/imports/import-draft.schema.ts'
import { changeImportSettings, importDraftQuery, keepDraft } from '#web/api/imports.api.ts'

export type SettingsUpdate = (settings: ImportSettings) => Partial<ImportSettings>

const keyOf = (draftId: string) => ['import-settings', draftId]

export const useIsSavingSettings = (draftId: string) => useIsMutating({ mutationKey: keyOf(draftId) }) > 0

export function useSettings(mapId: string, draft: ImportDraft) {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<readonly SettingsUpdate[]>([])
  const saving = useMutation({
    mutationKey: keyOf(draft.id),
    scope: { id: `import ${draft.id}` },
    mutationFn(update: SettingsUpdate) {
      const current = client.getQueryData(importDraftQuery(mapId, draft.id).queryKey) ?? draft
      return changeImportSettings(mapId, draft.id, update(current.settings))
    },
    onSuccess: (changed) => keepDraft(client, mapId, changed),
    onSettled: (_answer, _error, saved) => setWaiting((updates) => updates.filter((one) => one !== saved)),
  })
  let { settings } = draft
  for (const update of waiting) settings = { ...settings, ...update(settings) }
  return {
    settings,
    error: saving.error,
    isPending: waiting.length > 0,
    update(update: SettingsUpdate) {
      setWaiting((updates) => [...updates, update])
      saving.mutate(update)
    },
  }
}
