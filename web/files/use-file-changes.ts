import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FileChange, FileOfFeature } from '#domain/files/file.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import { changeFile, removeFile, restoreFile } from '#web/api/files.api.ts'
import { RequestError } from '#web/api/http.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { fileLabel } from './file-names.ts'
import { sendFiles } from './uploads.ts'

type Feature = Pick<FeatureDetail, 'mapId' | 'id'>

export function useFileChanges({ mapId, id: featureId }: Feature) {
  const client = useQueryClient()
  const follow = () => followChanges(client, [{ mapId, part: 'files', id: featureId, version: null }])
  const basisOf = (files: readonly FileOfFeature[]): UndoBasis => ({
    mapId,
    of: 'files',
    featureId,
    files: files.map(({ id, version }) => ({ id, version })),
  })
  const tellError = (what: string) => (error: Error) => {
    const isOvertaken = error instanceof RequestError && error.status === 412
    showError(
      what,
      isOvertaken ? new Error('Someone else just changed this file. You now see the latest version.') : error,
    )
    follow()
  }

  const changing = useMutation({
    mutationFn: ({ file, change }: { file: FileOfFeature; change: FileChange; done?: string }) =>
      changeFile(mapId, file, change),
    onSuccess(changed, { file, change, done }) {
      follow()
      if (done === undefined) return
      const before: FileChange = {
        ...(change.isPublic === undefined ? {} : { isPublic: file.isPublic }),
        ...(change.caption === undefined ? {} : { caption: file.caption }),
      }
      const undo = () => changing.mutate({ file: changed, change: before })
      showSuccess(done, { dependsOn: basisOf([changed]), undo })
    },
    onError: (error, { file }) => tellError(`Could not change ‘${fileLabel(file)}’`)(error),
  })
  const removing = useMutation({
    mutationFn: ({ file }: { file: FileOfFeature; isUndo?: boolean }) => removeFile(mapId, file),
    onSuccess(removed, { isUndo }) {
      follow()
      const undo = () => restoring.mutate(removed)
      const dependsOn: UndoBasis = { mapId, of: 'removed file', featureId, fileId: removed.id }
      showSuccess(`‘${fileLabel(removed)}’ removed`, isUndo ? undefined : { dependsOn, undo })
    },
    onError: (error, { file }) => tellError(`Could not remove ‘${fileLabel(file)}’`)(error),
  })
  const restoring = useMutation({
    mutationFn: ({ id }: FileOfFeature) => restoreFile(mapId, id),
    onSuccess(back) {
      follow()
      showSuccess(`‘${fileLabel(back)}’ restored`)
    },
    onError: (error, file) => tellError(`Could not restore ‘${fileLabel(file)}’`)(error),
  })

  async function add(files: readonly File[], maintenanceId: string | null = null) {
    const added = await sendFiles(client, { mapId, featureId, maintenanceId }, files)
    const [first] = added
    if (!first) return
    const undo = () => {
      for (const file of added) removing.mutate({ file, isUndo: true })
    }
    const what = added.length === 1 ? `‘${fileLabel(first)}’ added` : `${counted(added.length, 'file')} added`
    showSuccess(what, { dependsOn: basisOf(added), undo })
  }
  return { add, changing, removing, restoring }
}

export type FileChanges = ReturnType<typeof useFileChanges>
