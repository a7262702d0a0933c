import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { sendFiles } from '#web/files/uploads.ts'
import { NewRecord } from '#web/records/new-record.tsx'

export function NewRecordWithFiles(props: Omit<ComponentProps<typeof NewRecord>, 'onFiles'>) {
  const client = useQueryClient()
  const { mapId } = props
  return (
    <NewRecord
      {...props}
      onFiles={(featureId, files) => void sendFiles(client, { mapId, featureId, maintenanceId: null }, files)}
    />
  )
}
