import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { followChanges } from '#web/api/changes.ts'
import { changeFeatures } from '#web/api/features.api.ts'
import { newKey, RequestError } from '#web/api/http.ts'
import { showSuccess } from '#web/ui/toasts.tsx'
import type { ShapeDraft } from '#web/workspace/shaping.ts'
import { useUndoChange } from '#web/workspace/use-undo-change.ts'
import { landChangeOf, operationsOf, savedWords } from './shape-session.ts'

type Saving = { mapId: string; onSaved(draft: ShapeDraft): void; onProblem(problem: string): void }

export function useShapeSaving({ mapId, onSaved, onProblem }: Saving) {
  const client = useQueryClient()
  const follow = () => followChanges(client, [{ mapId, part: 'features', id: null, version: null }])
  const undoing = useUndoChange(mapId, 'Change of shapes undone')
  // Repeating a request whose answer was lost has no effect.
  const request = useRef<{ draft: ShapeDraft; id: string } | null>(null)
  const saving = useMutation({
    mutationFn(draft: ShapeDraft) {
      if (request.current?.draft !== draft) request.current = { draft, id: newKey() }
      return changeFeatures(mapId, request.current.id, operationsOf(draft), landChangeOf(draft))
    },
    onSuccess({ changeId, items }, draft) {
      onSaved(draft)
      follow()
      const saved = items.find(({ version }) => version !== null)
      showSuccess(
        savedWords(draft),
        saved && {
          dependsOn: { mapId, of: 'feature', id: saved.id, version: saved.version as number },
          undo: () => undoing.mutate(changeId),
        },
      )
    },
    onError(error) {
      if (error instanceof RequestError && error.status === 412) follow()
      onProblem(error.message)
    },
  })
  return { save: saving.mutate, isSaving: saving.isPending }
}
