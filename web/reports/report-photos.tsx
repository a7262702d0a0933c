import { useState } from 'react'
import type { FileOfFeature } from '#domain/files/file.schema.ts'
import { FileTile } from '#web/files/file-tile.tsx'
import { Gallery } from '#web/files/gallery.tsx'
import { useFileChanges } from '#web/files/use-file-changes.ts'
import classes from './triage-panel.module.css'

type ReportPhotosProps = { mapId: string; featureId: string; photos: readonly FileOfFeature[] }

/** Staff redact, publish or remove photos before they decide on the report. */
export function ReportPhotos({ mapId, featureId, photos }: ReportPhotosProps) {
  const [openId, setOpenId] = useState<string | null>(null)
  const changes = useFileChanges({ mapId, id: featureId })
  return (
    <>
      <ul className={classes.photos} aria-label="Photos from the reporter">
        {photos.map((file, index) => (
          <li key={file.id}>
            <FileTile mapId={mapId} file={file} index={index} count={photos.length} onOpen={setOpenId} />
          </li>
        ))}
      </ul>
      <Gallery mapId={mapId} files={photos} openId={openId} changes={changes} onOpen={setOpenId} />
    </>
  )
}
