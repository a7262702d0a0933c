import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { undoChange } from '#web/api/features.api.ts'
import { newKey, RequestError } from '#web/api/http.ts'
import {
  addEntry,
  changeEntry,
  type MaintenanceChanged,
  maintenanceQuery,
  removeEntry,
} from '#web/api/maintenance.api.ts'
import { today } from '#web/ui/time-zone.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { type EntryDraft, readEntry } from './entry-draft.ts'

type Asset = { mapId: string; id: string; name: string }

export function useMaintenanceChanges(
  { mapId, id: featureId, name }: Asset,
  onSaved: (saved: EntryDraft) => void,
) {
  const client = useQueryClient()
  const follow = (version: number | null) =>
    followChanges(client, [{ mapId, part: 'maintenance', id: featureId, version }])
  const reload = () =>
    void client.invalidateQueries({ queryKey: maintenanceQuery(mapId, featureId).queryKey })

  function tell(what: string, entryId: string, { changeId, version, entry }: MaintenanceChanged) {
    follow(version)
    showSuccess(what, {
      dependsOn: { mapId, of: 'maintenance entry', featureId, entryId, entry },
      undo: () => undoing.mutate(changeId),
    })
  }
  const undoing = useMutation({
    async mutationFn(changeId: string) {
      const { items } = await undoChange(mapId, changeId)
      const undone = items.find((item) => item.id === featureId)
      if (!undone) throw new Error('It has changed since then.')
      return undone
    },
    onSuccess({ version }) {
      follow(version)
      showSuccess(`Maintenance change of ‘${name}’ undone`)
    },
    onError: (error) => showError(`Could not undo the maintenance change of ‘${name}’`, error),
  })
  const saving = useMutation({
    mutationFn(draft: EntryDraft) {
      const { values } = readEntry(draft)
      if (draft.base === null) return addEntry(mapId, featureId, { id: draft.id, ...values })
      return changeEntry(mapId, featureId, draft.base, values)
    },
    onSuccess(changed, draft) {
      onSaved(draft)
      tell(`Entry ${draft.base === null ? 'added' : 'saved'}`, draft.id, changed)
    },
    onError: reload,
  })
  const doing = useMutation({
    mutationFn: async (text: string) => {
      const id = newKey()
      return { id, changed: await addEntry(mapId, featureId, { id, date: today(), text }) }
    },
    onSuccess: ({ id, changed }, text) => tell(`‘${text}’ marked done`, id, changed),
    onError: (error) => showError('Could not add the entry', error),
  })
  const removing = useMutation({
    mutationFn: (entry: MaintenanceEntry) => removeEntry(mapId, featureId, entry),
    onSuccess: (changed, { id }) => tell('Entry removed', id, changed),
    onError(error) {
      const isOvertaken = error instanceof RequestError && [404, 412].includes(error.status)
      const reason = 'Someone else just changed it. You now see the latest version.'
      showError('Could not remove the entry', isOvertaken ? new Error(reason) : error)
      reload()
    },
  })
  return { saving, doing, removing }
}
