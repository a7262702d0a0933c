import { ActionIcon } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { acceptedTypes, maxFilesOfFeature } from '#domain/files/file.schema.ts'
import { filesQuery } from '#web/api/files.api.ts'
import { tip } from '#web/ui/tips.tsx'
import classes from './entry-files.module.css'
import { FileTile } from './file-tile.tsx'
import { Gallery } from './gallery.tsx'
import { UploadList } from './upload-list.tsx'
import { useFileChanges } from './use-file-changes.ts'

type EntryFilesProps = {
  feature: FeatureDetail
  entryId: string
  day: string
  mayEdit: boolean
}

export function EntryFiles({ feature, entryId, day, mayEdit }: EntryFilesProps) {
  const { mapId, id } = feature
  const files = useQuery(filesQuery(mapId, id))
  const changes = useFileChanges(feature)
  const [openId, setOpenId] = useState<string | null>(null)
  const inputRef = useRef<HTMLInputElement>(null)
  const items = files.data?.items ?? []
  const own = items.filter(({ maintenanceId }) => maintenanceId === entryId)
  const label = `Add photos to the entry of ${day}`
  return (
    <div className={classes.files}>
      {own.length > 0 && (
        <ul className={classes.tiles} aria-label={`Photos and files of ${day}`}>
          {own.map((file) => (
            <li key={file.id}>
              <FileTile
                mapId={mapId}
                file={file}
                index={own.indexOf(file)}
                count={own.length}
                onOpen={setOpenId}
              />
            </li>
          ))}
        </ul>
      )}
      {mayEdit && items.length < maxFilesOfFeature && (
        <>
          <input
            ref={inputRef}
            type="file"
            hidden
            multiple
            accept={acceptedTypes.join(',')}
            aria-label={label}
            onChange={({ currentTarget }) => {
              void changes.add([...(currentTarget.files ?? [])], entryId)
              currentTarget.value = ''
            }}
          />
          <ActionIcon
            {...tip('Add photos or PDF')}
            className={classes.add}
            variant="subtle"
            color="gray"
            aria-label={label}
            onClick={() => inputRef.current?.click()}
          >
            <IconPhotoPlus size={16} />
          </ActionIcon>
        </>
      )}
      <UploadList mapId={mapId} featureId={id} maintenanceId={entryId} />
      <Gallery
        mapId={mapId}
        files={items}
        openId={openId}
        changes={mayEdit ? changes : null}
        onOpen={setOpenId}
      />
    </div>
  )
}
