import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import type { Client } from '#domain/clients/client.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { archiveClient, clientsKey, restoreClient } from '#web/api/clients.api.ts'
import { tellDone, tellFailed } from '#web/ui/toasts.tsx'

const basisOf = ({ id, version }: Client): UndoBasis => ({ mapId: id, of: 'archiving', version })

/** Archives and restores a client; both can be undone. */
export function useArchiving(client: Client) {
  const queryClient = useQueryClient()
  const follow = ({ id, version }: Client) =>
    followChanges(queryClient, [{ mapId: id, part: 'everything', id, version }])
  const onError = (error: Error) => {
    tellFailed(`${client.name} was not changed`, error)
    void queryClient.invalidateQueries({ queryKey: clientsKey })
  }
  const restoring = useMutation({
    mutationFn: () => restoreClient(client),
    onSuccess(restored) {
      follow(restored)
      const undo = () => archiving.mutate()
      tellDone(`${client.name} is open again`, { dependsOn: basisOf(restored), undo })
    },
    onError,
  })
  const archiving = useMutation({
    mutationFn: () => archiveClient(client),
    onSuccess(archived) {
      follow(archived)
      const undo = () => restoring.mutate()
      tellDone(`${client.name} is archived: its map is closed`, { dependsOn: basisOf(archived), undo })
    },
    onError,
  })
  return {
    isPending: archiving.isPending || restoring.isPending,
    archive: () => archiving.mutate(),
    restore: () => restoring.mutate(),
  }
}
