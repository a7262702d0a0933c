import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Client } from '#domain/clients/client.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { archiveClient, clientsKey, restoreClient } from '#web/api/clients.api.ts'
import { tellDone, tellFailed } from '#web/ui/toasts.tsx'

/** Into the archive and back; both can be taken back at once. */
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
      tellDone(`${client.name} is open again`, { undo: () => archiving.mutate() })
    },
    onError,
  })
  const archiving = useMutation({
    mutationFn: () => archiveClient(client),
    onSuccess(archived) {
      follow(archived)
      tellDone(`${client.name} is archived: its map is closed`, { undo: () => restoring.mutate() })
    },
    onError,
  })
  return {
    isPending: archiving.isPending || restoring.isPending,
    archive: () => archiving.mutate(),
    restore: () => restoring.mutate(),
  }
}
