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
import { nextTurn, type Turn, turns } from '#web/ui/undo-offers.ts'
import { type EntryDraft, readEntry } from './entry-draft.ts'

/** `before` and `entry` are null while there is no such entry. */
type EntryChange = Pick<MaintenanceChanged, 'changeId' | 'entry'> & {
  entryId: string
  before: MaintenanceEntry | null
  after?: Turn
}

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

  function tell(what: string, change: EntryChange, version: number | null) {
    const { entryId, entry } = change
    follow(version)
    showSuccess(what, {
      dependsOn: { mapId, of: 'maintenance entry', featureId, entryId, entry },
      undo: () => undoing.mutate(change),
      after: change.after,
    })
  }
  const undoing = useMutation({
    async mutationFn(change: EntryChange) {
      const { changeId, items } = await undoChange(mapId, change.changeId)
      const undone = items.find((item) => item.id === featureId)
      if (!undone) throw new Error('It has changed since then.')
      return { changeId, version: undone.version }
    },
    onSuccess({ changeId, version }, { entryId, before, entry, after }) {
      const turn = nextTurn(after)
      const undone = { changeId, entryId, before: entry, entry: before, after: turn }
      tell(`Maintenance change of ‘${name}’ ${turns[turn]}`, undone, version)
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
      const change = { ...changed, entryId: draft.id, before: draft.base }
      tell(`Entry ${draft.base === null ? 'added' : 'saved'}`, change, changed.version)
    },
    onError: reload,
  })
  const doing = useMutation({
    mutationFn: async (text: string) => {
      const id = newKey()
      return { id, changed: await addEntry(mapId, featureId, { id, date: today(), text }) }
    },
    onSuccess: ({ id, changed }, text) =>
      tell(`‘${text}’ marked done`, { ...changed, entryId: id, before: null }, changed.version),
    onError: (error) => showError('Could not add the entry', error),
  })
  const removing = useMutation({
    mutationFn: (entry: MaintenanceEntry) => removeEntry(mapId, featureId, entry),
    onSuccess: (changed, entry) =>
      tell('Entry removed', { ...changed, entryId: entry.id, before: entry }, changed.version),
    onError(error) {
      const isOvertaken = error instanceof RequestError && [404, 412].includes(error.status)
      const reason = 'Someone else just changed it. You now see the latest version.'
      showError('Could not remove the entry', isOvertaken ? new Error(reason) : error)
      reload()
    },
  })
  return { saving, doing, removing }
}
