import { useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  MapConfiguration,
  MapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { RequestError } from '#web/api/http.ts'
import {
  applyConfiguration,
  removeConfiguration,
  restoreConfiguration,
} from '#web/api/map-configuration.api.ts'
import { mapConfigurationQuery, mapSummaryQuery } from '#web/api/maps.api.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import type { UndoOffer } from '#web/ui/undo-offers.ts'

/** An undo keeps unsaved changes, which are then compared with the restored settings. */
type Restoration = { currentVersion: number; version: number; isUndo?: boolean }
type Removal = { version: number; isUndo?: boolean }

export function useApply(mapId: string, onApplied: (answer: MapConfigurationAnswer) => void) {
  const queryClient = useQueryClient()
  /** With the client's name, as a notification may outlast the screen. */
  const settings = () =>
    `settings of ${queryClient.getQueryData(mapSummaryQuery(mapId).queryKey)?.client?.name ?? 'the sample map'}`
  const nothingIsApplied = () => `Reset the ${settings()} to defaults`
  function accept(answer: MapConfigurationAnswer) {
    queryClient.setQueryData(mapConfigurationQuery(mapId).queryKey, answer)
    const { version } = answer
    followChanges(queryClient, [{ mapId, part: 'configuration', id: null, version }])
  }
  const undoTo = ({ version }: MapConfigurationAnswer): UndoOffer => ({
    dependsOn: { mapId, of: 'configuration', version },
    undo: () =>
      version > 1
        ? restoring.mutate({ currentVersion: version, version: version - 1, isUndo: true })
        : removing.mutate({ version, isUndo: true }),
  })
  const onError = (error: Error) => {
    if (error instanceof RequestError && error.status === 412)
      void queryClient.invalidateQueries({ queryKey: mapConfigurationQuery(mapId).queryKey })
  }
  const restoring = useMutation({
    mutationFn: ({ currentVersion, version }: Restoration) =>
      restoreConfiguration(mapId, currentVersion, version),
    onSuccess: (answer, { version, isUndo }) => {
      accept(answer)
      if (!isUndo) onApplied(answer)
      const what = `Restored version ${version} of the ${settings()}`
      showSuccess(answer.isApplied ? what : nothingIsApplied(), undoTo(answer))
    },
    onError: (error) => {
      onError(error)
      showError(`Could not restore the ${settings()}`, error)
    },
  })
  const applying = useMutation({
    mutationFn: ({ version, configuration }: { version: number; configuration: MapConfiguration }) =>
      applyConfiguration(mapId, version, configuration),
    onSuccess: (answer) => {
      accept(answer)
      onApplied(answer)
      showSuccess(`Applied the ${settings()}`, undoTo(answer))
    },
    onError,
  })
  const removing = useMutation({
    mutationFn: ({ version }: Removal) => removeConfiguration(mapId, version),
    onSuccess: (answer, { isUndo }) => {
      accept(answer)
      if (!isUndo) onApplied(answer)
      showSuccess(nothingIsApplied(), undoTo(answer))
    },
    onError: (error) => {
      onError(error)
      showError(`Could not reset the ${settings()}`, error)
    },
  })
  return { applying, restoring, removing }
}
