import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FileChange, FileOfFeature, PhotoArea } from '#domain/files/file.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import {
  changeFile,
  newFileId,
  redactPhoto,
  removeFile,
  restoreFile,
  undoRedaction,
} from '#web/api/files.api.ts'
import { RequestError } from '#web/api/http.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { nextTurn, type Turn, turns } from '#web/ui/undo-offers.ts'
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
    mutationFn: ({
      file,
      change,
    }: {
      file: FileOfFeature
      change: FileChange
      done?: string
      after?: Turn
    }) => changeFile(mapId, file, change),
    onSuccess(changed, { file, change, done, after }) {
      follow()
      if (done === undefined) return
      const before: FileChange = {
        ...(change.isPublic === undefined ? {} : { isPublic: file.isPublic }),
        ...(change.caption === undefined ? {} : { caption: file.caption }),
      }
      const turn = nextTurn(after)
      const undone = `Change to ‘${fileLabel(file)}’ ${turns[turn]}`
      const undo = () => changing.mutate({ file: changed, change: before, done: undone, after: turn })
      showSuccess(done, { dependsOn: basisOf([changed]), undo, after })
    },
    onError: (error, { file }) => tellError(`Could not change ‘${fileLabel(file)}’`)(error),
  })
  const removing = useMutation({
    mutationFn: ({ file }: { file: FileOfFeature; after?: Turn }) => removeFile(mapId, file),
    onSuccess(removed, { after }) {
      follow()
      const undo = () => restoring.mutate({ file: removed, after: nextTurn(after) })
      const dependsOn: UndoBasis = { mapId, of: 'removed file', featureId, fileId: removed.id }
      showSuccess(`‘${fileLabel(removed)}’ removed`, { dependsOn, undo, after })
    },
    onError: (error, { file }) => tellError(`Could not remove ‘${fileLabel(file)}’`)(error),
  })
  const restoring = useMutation({
    mutationFn: ({ file }: { file: FileOfFeature; after?: Turn }) => restoreFile(mapId, file.id),
    onSuccess(restored, { after }) {
      follow()
      const undo = () => removing.mutate({ file: restored, after: nextTurn(after) })
      showSuccess(`‘${fileLabel(restored)}’ restored`, { dependsOn: basisOf([restored]), undo, after })
    },
    onError: (error, { file }) => tellError(`Could not restore ‘${fileLabel(file)}’`)(error),
  })

  const redacting = useMutation({
    mutationFn: ({ file, areas }: { file: FileOfFeature; areas: readonly PhotoArea[] }) =>
      redactPhoto(mapId, file, { id: newFileId(), areas: [...areas] }),
    onSuccess(redacted) {
      follow()
      const undo = () => unredacting.mutate({ file: redacted })
      showSuccess(`‘${fileLabel(redacted)}’ redacted`, { dependsOn: basisOf([redacted]), undo })
    },
  })
  const unredacting = useMutation({
    mutationFn: ({ file }: { file: FileOfFeature }) => undoRedaction(mapId, file),
    onSuccess(original) {
      follow()
      showSuccess(`Original of ‘${fileLabel(original)}’ restored`)
    },
    onError: (error, { file }) => tellError(`Could not restore the original of ‘${fileLabel(file)}’`)(error),
  })

  async function add(files: readonly File[], maintenanceId: string | null = null) {
    const added = await sendFiles(client, { mapId, featureId, maintenanceId }, files)
    const [first] = added
    if (!first) return
    const undo = () => {
      for (const file of added) removing.mutate({ file, after: 'undo' })
    }
    const what = added.length === 1 ? `‘${fileLabel(first)}’ added` : `${counted(added.length, 'file')} added`
    showSuccess(what, { dependsOn: basisOf(added), undo })
  }
  return { add, changing, removing, restoring, redacting, unredacting }
}

export type FileChanges = ReturnType<typeof useFileChanges>
