import { VisuallyHidden } from '@mantine/core'
import { IconCamera, IconPhotoPlus, IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { acceptedTypes, type FileOfFeature, maxFilesOfFeature } from '#domain/files/file.schema.ts'
import { filesQuery } from '#web/api/files.api.ts'
import { maintenanceQuery } from '#web/api/maintenance.api.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { calendarDay } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './feature-files.module.css'
import { FileTile } from './file-tile.tsx'
import { Gallery, type Place } from './gallery.tsx'
import { RemovedFiles } from './removed-files.tsx'
import { UploadList } from './upload-list.tsx'
import { type FileChanges, useFileChanges } from './use-file-changes.ts'

type FeatureFilesProps = {
  feature: FeatureDetail
  mayEdit: boolean
  onPlace?: (place: Place) => void
}

export function FeatureFiles({ feature, mayEdit, onPlace }: FeatureFilesProps) {
  const { mapId, id } = feature
  const files = useQuery(filesQuery(mapId, id))
  const changes = useFileChanges(feature)
  const [openId, setOpenId] = useState<string | null>(null)
  const items = files.data?.items ?? []
  const entryDays = useEntryDays(feature, items)
  if (files.isError && !files.data && mayEdit)
    return (
      <ErrorState
        title="Could not load photos and files."
        error={files.error}
        onRetry={() => files.refetch()}
      />
    )
  if (!files.data || (items.length === 0 && !mayEdit)) return null
  return (
    <section className={classes.section} aria-label="Photos and files">
      <h3 className={classes.title}>Photos and files</h3>
      {mayEdit ? (
        <Editable
          files={items}
          mapId={mapId}
          featureId={id}
          changes={changes}
          entryDays={entryDays}
          onOpen={setOpenId}
        />
      ) : (
        <ul className={classes.tiles}>
          {items.map((file, index) => (
            <li key={file.id}>
              <FileTile mapId={mapId} file={file} index={index} count={items.length} onOpen={setOpenId} />
            </li>
          ))}
        </ul>
      )}
      {mayEdit && files.data.removed.length > 0 && (
        <RemovedFiles removed={files.data.removed} changes={changes} />
      )}
      <Gallery
        mapId={mapId}
        files={items}
        openId={openId}
        changes={mayEdit ? changes : null}
        onOpen={setOpenId}
        {...(onPlace ? { onPlace } : {})}
      />
    </section>
  )
}

function Marks({ file, entryDays }: { file: FileOfFeature; entryDays: EntryDays }) {
  const day = file.maintenanceId === null ? undefined : entryDays.get(file.maintenanceId)
  return (
    <>
      {day !== undefined && (
        <span className={classes.day}>
          <VisuallyHidden>Maintenance of </VisuallyHidden>
          {calendarDay(day)}
        </span>
      )}
      <span className={classes.mark}>
        {file.isPublic ? (
          <>
            <IconWorld size={14} aria-hidden="true" />
            <VisuallyHidden>Public</VisuallyHidden>
          </>
        ) : (
          'Staff only'
        )}
      </span>
    </>
  )
}

type EntryDays = ReadonlyMap<string, string>

/** Only loaded if a file belongs to an entry; visitors see neither. */
function useEntryDays({ mapId, id }: FeatureDetail, files: readonly FileOfFeature[]): EntryDays {
  const isAny = files.some(({ maintenanceId }) => maintenanceId !== null)
  const log = useQuery({ ...maintenanceQuery(mapId, id), enabled: isAny })
  return new Map(log.data?.items.map((entry) => [entry.id, entry.date]))
}

type EditableProps = {
  mapId: string
  featureId: string
  files: readonly FileOfFeature[]
  changes: FileChanges
  entryDays: EntryDays
  onOpen(id: string): void
}

function Editable({ mapId, featureId, files, changes, entryDays, onOpen }: EditableProps) {
  const { add, changing } = changes
  const [isOver, setIsOver] = useState(false)
  const [dragged, setDragged] = useState<string | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const isFull = files.length >= maxFilesOfFeature

  useFilesPasted((pasted) => void add(pasted))

  function move(file: FileOfFeature, index: number) {
    if (index < 0 || index >= files.length || files[index]?.id === file.id) return
    changing.mutate({ file, change: { index } })
    setAnnouncement(`Moved to position ${index + 1} of ${files.length}`)
  }

  function moveByKey(event: KeyboardEvent, file: FileOfFeature, index: number) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || !event.altKey) return
    event.preventDefault()
    move(file, index + step)
  }

  function drop(event: DragEvent) {
    setIsOver(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    void add([...event.dataTransfer.files])
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped on it; the button does the same.
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {files.length > 0 && (
        <ul className={classes.tiles}>
          {files.map((file, index) => (
            <li
              key={file.id}
              draggable
              data-dragged={dragged === file.id || undefined}
              onKeyDown={(event) => moveByKey(event, file, index)}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', file.id)
                setDragged(file.id)
              }}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => dragged !== null && event.preventDefault()}
              onDrop={(event) => {
                const moved = files.find(({ id }) => id === dragged)
                if (!moved) return
                event.preventDefault()
                event.stopPropagation()
                move(moved, index)
              }}
            >
              <FileTile mapId={mapId} file={file} index={index} count={files.length} onOpen={onOpen} />
              <Marks file={file} entryDays={entryDays} />
            </li>
          ))}
        </ul>
      )}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <UploadList mapId={mapId} featureId={featureId} />
      {isFull ? (
        <p className={classes.hint}>Maximum of {maxFilesOfFeature} files reached</p>
      ) : (
        <AddFiles onAdd={(chosen) => void add(chosen)} hasFiles={files.length > 0} />
      )}
    </div>
  )
}

type AddFilesProps = { hasFiles: boolean; onAdd(files: File[]): void }

function AddFiles({ hasFiles, onAdd }: AddFilesProps) {
  const isPhone = useIsPhone()
  const chooseRef = useRef<HTMLInputElement>(null)
  const cameraRef = useRef<HTMLInputElement>(null)
  const input = {
    type: 'file',
    hidden: true,
    onChange({ currentTarget }: { currentTarget: HTMLInputElement }) {
      onAdd([...(currentTarget.files ?? [])])
      // Otherwise the same file cannot be chosen again.
      currentTarget.value = ''
    },
  } as const
  return (
    <div className={classes.add}>
      <input
        {...input}
        ref={chooseRef}
        multiple
        accept={acceptedTypes.join(',')}
        aria-label="Photos and files"
      />
      <SmallButton icon={IconPhotoPlus} onClick={() => chooseRef.current?.click()}>
        Add photos or PDF
      </SmallButton>
      {isPhone && (
        <>
          <input {...input} ref={cameraRef} accept="image/jpeg" capture="environment" aria-label="Camera" />
          <SmallButton icon={IconCamera} onClick={() => cameraRef.current?.click()}>
            Take a photo
          </SmallButton>
        </>
      )}
      {!isPhone && (
        <p className={classes.hint}>{hasFiles ? 'or drop or paste' : 'or drop or paste them here'}</p>
      )}
      {!hasFiles && <p className={classes.hint}>Only staff see them until you make them public.</p>}
    </div>
  )
}

function useFilesPasted(onPaste: (files: File[]) => void) {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    onPaste(files)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event)
    window.addEventListener('paste', listener)
    return () => window.removeEventListener('paste', listener)
  }, [])
}
