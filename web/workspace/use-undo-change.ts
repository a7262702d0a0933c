import { useMutation, useQueryClient } from '@tanstack/react-query'
import { counted } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import { undoChange } from '#web/api/features.api.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'

/** Undoes a change of several features at once. */
export function useUndoChange(mapId: string, done: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changeId: string) => undoChange(mapId, changeId),
    onSuccess({ items, kept }) {
      if (items.length === 0)
        return showError(
          'Nothing was undone',
          new Error('These records have changed since. Undo later changes first.'),
        )
      followChanges(client, [{ mapId, part: 'features', id: null, version: null }])
      const rest = `, except ${counted(kept.length, 'record')} changed since`
      showSuccess(kept.length > 0 ? done + rest : done)
    },
    onError: (error) => showError('Could not undo the change', error),
  })
}
