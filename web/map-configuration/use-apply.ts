import { useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  MapConfiguration,
  MapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { RequestError } from '#web/api/http.ts'
import { applyConfiguration, restoreConfiguration } from '#web/api/map-configuration.api.ts'
import { mapConfigurationQuery, mapKey } from '#web/api/maps.api.ts'
import { tellDone, tellFailed } from '#web/ui/toasts.tsx'

/** Makes a configuration the map that everybody sees: a new one, or one of the past. */
export function useApply(mapId: string, onApplied: (answer: MapConfigurationAnswer) => void) {
  const queryClient = useQueryClient()
  function accept(answer: MapConfigurationAnswer) {
    queryClient.setQueryData(mapConfigurationQuery(mapId).queryKey, answer)
    void queryClient.invalidateQueries({ queryKey: mapKey(mapId) })
    onApplied(answer)
  }
  const undoTo = (answer: MapConfigurationAnswer) =>
    answer.version > 1
      ? { undo: () => restoring.mutate({ presentVersion: answer.version, version: answer.version - 1 }) }
      : {}
  // What is newer than the page knows must be seen before anything else is tried.
  const onError = (error: Error) => {
    if (error instanceof RequestError && error.status === 412)
      void queryClient.invalidateQueries({ queryKey: mapConfigurationQuery(mapId).queryKey })
  }
  const restoring = useMutation({
    mutationFn: ({ presentVersion, version }: { presentVersion: number; version: number }) =>
      restoreConfiguration(mapId, presentVersion, version),
    onSuccess: (answer, { version }) => {
      accept(answer)
      tellDone(`The settings of version ${version} are back`, undoTo(answer))
    },
    onError: (error) => {
      onError(error)
      tellFailed('The settings were not restored', error)
    },
  })
  const applying = useMutation({
    mutationFn: ({ version, configuration }: { version: number; configuration: MapConfiguration }) =>
      applyConfiguration(mapId, version, configuration),
    onSuccess: (answer) => {
      accept(answer)
      tellDone('Settings applied: everybody sees them', undoTo(answer))
    },
    onError,
  })
  return { applying, restoring }
}
