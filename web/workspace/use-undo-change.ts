import { useMutation, useQueryClient } from '@tanstack/react-query'
import { featureName } from '#domain/features/definitions.ts'
import { counted } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import { featureDetailQuery, undoChange } from '#web/api/features.api.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'

/** Undoes a change of several features at once. */
export function useUndoChange(mapId: string, done: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changeId: string) => undoChange(mapId, changeId),
    async onSuccess({ items, kept }) {
      if (items.length === 0) {
        const [first = '', ...others] = kept
        const name = await client
          .fetchQuery(featureDetailQuery(mapId, first))
          .then(featureName)
          .catch(() => null)
        const which = name ? `‘${name}’` : 'A record that was removed'
        const rest = others.length > 0 ? ` and ${counted(others.length, 'more record')}` : ''
        return showError(
          'Nothing was undone',
          new Error(
            `${which}${rest} changed since then. Undo those changes first, in the timeline of the record or under Recently removed.`,
          ),
        )
      }
      followChanges(client, [{ mapId, part: 'features', id: null, version: null }])
      const rest = `, except ${counted(kept.length, 'record')} changed since`
      showSuccess(kept.length > 0 ? done + rest : done)
    },
    onError: (error) => showError('Could not undo the change', error),
  })
}
