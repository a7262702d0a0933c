import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FileChange, FileOfFeature } from '#domain/files/file.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { changeFile, putFileBack, removeFile } from '#web/api/files.api.ts'
import { RequestError } from '#web/api/http.ts'
import { tellDone, tellFailed } from '#web/ui/toasts.tsx'
import { nameOf } from './file-names.ts'
import { sendFiles } from './uploads.ts'

type Feature = Pick<FeatureDetail, 'mapId' | 'id'>

/** Adds, changes and removes files of a feature, and takes each of it back. */
export function useFileChanges({ mapId, id: featureId }: Feature) {
  const client = useQueryClient()
  const follow = () => followChanges(client, [{ mapId, part: 'files', id: featureId, version: null }])
  const tellError = (what: string) => (error: Error) => {
    const isOvertaken = error instanceof RequestError && error.status === 412
    tellFailed(
      what,
      isOvertaken ? new Error('Somebody else has just changed it. What you see now is how it is.') : error,
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
      tellDone(done, { undo: () => changing.mutate({ file: changed, change: before }) })
    },
    onError: (error, { file }) => tellError(`‘${nameOf(file)}’ was not changed`)(error),
  })
  const removing = useMutation({
    mutationFn: (file: FileOfFeature) => removeFile(mapId, file),
    onSuccess(removed) {
      follow()
      tellDone(`‘${nameOf(removed)}’ is removed`, { undo: () => puttingBack.mutate(removed) })
    },
    onError: (error, file) => tellError(`‘${nameOf(file)}’ was not removed`)(error),
  })
  const puttingBack = useMutation({
    mutationFn: ({ id }: FileOfFeature) => putFileBack(mapId, id),
    onSuccess(back) {
      follow()
      tellDone(`‘${nameOf(back)}’ is back`)
    },
    onError: (error, file) => tellError(`‘${nameOf(file)}’ was not put back`)(error),
  })

  async function add(files: readonly File[], maintenanceId: string | null = null) {
    const added = await sendFiles(client, { mapId, featureId, maintenanceId }, files)
    const [first] = added
    if (!first) return
    const undo = () => {
      for (const file of added) removing.mutate(file)
    }
    tellDone(added.length === 1 ? `‘${nameOf(first)}’ is added` : `${added.length} files are added`, { undo })
  }
  return { add, changing, removing, puttingBack }
}

export type FileChanges = ReturnType<typeof useFileChanges>
