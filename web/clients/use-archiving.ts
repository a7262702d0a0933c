import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Client } from '#domain/clients/client.schema.ts'
import { archiveClient, clientsKey, restoreClient } from '#web/api/clients.api.ts'
import { tellDone, tellFailed } from '#web/ui/toasts.tsx'

/** Into the archive and back; both can be taken back at once. */
export function useArchiving(client: Client) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: clientsKey })
  const onError = (error: Error) => tellFailed(`${client.name} was not changed`, error)
  const restoring = useMutation({
    mutationFn: () => restoreClient(client),
    onSuccess: () => tellDone(`${client.name} is open again`, { undo: () => archiving.mutate() }),
    onError,
    onSettled: refresh,
  })
  const archiving = useMutation({
    mutationFn: () => archiveClient(client),
    onSuccess: () =>
      tellDone(`${client.name} is archived: its map is closed`, { undo: () => restoring.mutate() }),
    onError,
    onSettled: refresh,
  })
  return {
    isPending: archiving.isPending || restoring.isPending,
    archive: () => archiving.mutate(),
    restore: () => restoring.mutate(),
  }
}
