import { Button, Progress } from '@mantine/core'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './upload-list.module.css'
import { dropUpload, sendAgain, type Upload, useUploads } from './uploads.ts'

type UploadListProps = {
  mapId: string
  featureId: string
  maintenanceId?: string
}

export function UploadList({ mapId, featureId, maintenanceId }: UploadListProps) {
  const own = useUploads().filter(
    (upload) =>
      upload.mapId === mapId &&
      upload.featureId === featureId &&
      (maintenanceId === undefined || upload.maintenanceId === maintenanceId),
  )
  if (own.length === 0) return null
  return (
    <ul className={classes.list} aria-label="Uploads">
      {own.map((upload) => (
        <li key={upload.id} className={classes.upload}>
          <p className={classes.name}>{upload.name || 'File'}</p>
          <p className={classes.state} data-failed={upload.state === 'failed' || undefined} role="status">
            {words(upload)}
          </p>
          {upload.state !== 'failed' && (
            <Progress
              className={classes.bar}
              value={(100 * upload.sent) / upload.size}
              size="sm"
              aria-label={`${upload.name || 'File'}: uploaded`}
            />
          )}
          <div className={classes.ways}>
            {upload.state === 'failed' && upload.isWorthTrying && (
              <SmallButton
                size="compact-sm"
                aria-label={`Try again ${upload.name}`}
                onClick={() => sendAgain(upload.id)}
              >
                Try again
              </SmallButton>
            )}
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`${upload.state === 'failed' ? 'Discard' : 'Cancel'} ${upload.name}`}
              onClick={() => dropUpload(upload.id)}
            >
              {upload.state === 'failed' ? 'Discard' : 'Cancel'}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}

function words({ state, sent, size, reason }: Upload): string {
  switch (state) {
    case 'waiting':
      return 'Waiting'
    case 'sending':
      return `${Math.floor((100 * sent) / size)}% uploaded`
    case 'examined':
      return 'Processing'
    case 'offline':
      return 'Waiting for the server. The upload will continue automatically.'
    case 'failed':
      return reason
  }
}
