import { FileButton, Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { acceptedTypes } from '#domain/files/file.schema.ts'
import { filesQuery } from '#web/api/files.api.ts'
import { fileLabel } from '#web/files/file-names.ts'
import { UploadList } from '#web/files/upload-list.tsx'
import { sendFiles } from '#web/files/uploads.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './shaping.module.css'

type RecordFileProps = {
  mapId: string
  featureId: string | null
  fileId: string | null
  onFile(id: string | null): void
}

/** Chooses the scanned document among the files of the feature, or adds one. */
export function RecordFile({ mapId, featureId, fileId, onFile }: RecordFileProps) {
  const client = useQueryClient()
  const files = useQuery({ ...filesQuery(mapId, featureId ?? ''), enabled: featureId !== null })
  if (featureId === null) return <p>Save the new parcel before you add the file of its record.</p>
  const items = files.data?.items ?? []
  return (
    <div className={classes.recordFile}>
      {items.length > 0 && (
        <Select
          label="File"
          placeholder="None"
          clearable
          data={items.map((file) => ({ value: file.id, label: fileLabel(file) }))}
          value={fileId}
          onChange={onFile}
        />
      )}
      <FileButton
        accept={acceptedTypes.join(',')}
        onChange={async (file) => {
          const [added] = file
            ? await sendFiles(client, { mapId, featureId, maintenanceId: null }, [file])
            : []
          if (added) onFile(added.id)
        }}
      >
        {(props) => <SmallButton {...props}>Add a scan (PDF or photo)</SmallButton>}
      </FileButton>
      <UploadList mapId={mapId} featureId={featureId} />
    </div>
  )
}
