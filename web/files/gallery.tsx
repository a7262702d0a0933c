import { ActionIcon, Button, Switch, TextInput } from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconEraser,
  IconFileTypePdf,
  IconMapPin,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import type { FileOfFeature } from '#domain/files/file.schema.ts'
import { fileAddress } from '#web/api/files.api.ts'
import { Dialog, StageDialog } from '#web/ui/dialog.tsx'
import { formatBytes } from '#web/ui/measures.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { tip } from '#web/ui/tips.tsx'
import { describe, fileLabel, takenText } from './file-names.ts'
import classes from './gallery.module.css'
import { RedactPhoto } from './redact-photo.tsx'
import type { FileChanges } from './use-file-changes.ts'

export type Place = { lat: number; lng: number }

type GalleryProps = {
  mapId: string
  files: readonly FileOfFeature[]
  openId: string | null
  changes: FileChanges | null
  onOpen(id: string | null): void
  onPlace?: (place: Place) => void
}

export function Gallery({ openId, files, onOpen, ...props }: GalleryProps) {
  const index = files.findIndex(({ id }) => id === openId)
  const file = files[index]
  const close = () => onOpen(null)
  return (
    <StageDialog label="Photos and files" isOpen={file !== undefined} onClose={close}>
      {() => file && <Shown {...props} files={files} file={file} index={index} onOpen={onOpen} />}
    </StageDialog>
  )
}

type ShownProps = Omit<GalleryProps, 'openId'> & { file: FileOfFeature; index: number }

function Shown({ mapId, files, file, index, changes, onOpen, onPlace }: ShownProps) {
  const count = files.length
  const [isRedacting, setIsRedacting] = useState(false)
  const go = (step: number) => {
    const next = files[index + step]
    if (next) onOpen(next.id)
  }
  function navigate(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    // In a text field, arrow keys move the cursor.
    if (isRedacting || step === undefined || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    go(step)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows work wherever the focus is in the dialog.
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same.
    <div className={classes.gallery} data-gallery onKeyDown={navigate}>
      <div className={classes.head}>
        <p role="status">{count > 1 ? `${index + 1} of ${count}` : ''}</p>
        <ActionIcon
          {...tip('Close (Esc)', 'left')}
          variant="subtle"
          color="gray"
          size={44}
          aria-label="Close"
          data-autofocus
          onClick={() => onOpen(null)}
        >
          <IconX size={22} />
        </ActionIcon>
      </div>
      <div className={classes.stage}>
        {file.kind === 'photo' ? (
          <img
            key={file.id}
            src={fileAddress(mapId, file.id, 'large')}
            width={file.width ?? undefined}
            height={file.height ?? undefined}
            alt={describe(file, index, count)}
          />
        ) : (
          <div className={classes.document}>
            <IconFileTypePdf size={64} aria-hidden="true" />
            <p>{file.name}</p>
          </div>
        )}
        <Step label="Previous" isOff={index === 0} onClick={() => go(-1)} side="left" />
        <Step label="Next" isOff={index === count - 1} onClick={() => go(1)} side="right" />
      </div>
      <div className={classes.foot}>
        {changes ? (
          <Caption key={`${file.id} ${file.caption}`} file={file} changes={changes} />
        ) : (
          file.caption && <p className={classes.caption}>{file.caption}</p>
        )}
        <Origin file={file} />
        {changes && onPlace && file.kind === 'photo' && !file.place && (
          <p className={classes.origin}>
            No location in this photo. Phones often remove it before the upload: set the location in Edit.
          </p>
        )}
        <div className={classes.ways}>
          {changes && (
            <Switch
              label="Public"
              checked={file.isPublic}
              onChange={({ currentTarget: { checked: isPublic } }) =>
                changes.changing.mutate({
                  file,
                  change: { isPublic },
                  done: `‘${fileLabel(file)}’ is now ${isPublic ? 'public' : 'staff only'}`,
                })
              }
            />
          )}
          {(changes || file.kind === 'pdf') && (
            <Button
              component="a"
              href={fileAddress(mapId, file.id, 'original')}
              download
              variant="default"
              size="xs"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
            >
              Download
            </Button>
          )}
          {changes && file.place && onPlace && (
            <SmallButton
              icon={IconMapPin}
              onClick={() => {
                onOpen(null)
                if (file.place) onPlace(file.place)
              }}
            >
              Use photo location
            </SmallButton>
          )}
          {changes && (
            <>
              <SmallButton
                disabled={index === 0}
                onClick={() => changes.changing.mutate({ file, change: { index: index - 1 } })}
              >
                Move earlier
              </SmallButton>
              <SmallButton
                disabled={index === count - 1}
                onClick={() => changes.changing.mutate({ file, change: { index: index + 1 } })}
              >
                Move later
              </SmallButton>
              {file.kind === 'photo' && (
                <SmallButton icon={IconEraser} onClick={() => setIsRedacting(true)}>
                  Black out areas
                </SmallButton>
              )}
              {file.isRedacted && (
                <SmallButton
                  onClick={() => {
                    onOpen(null)
                    changes.unredacting.mutate({ file })
                  }}
                >
                  Restore original
                </SmallButton>
              )}
              <SmallButton
                icon={IconTrash}
                onClick={() => {
                  onOpen(files[index + 1]?.id ?? files[index - 1]?.id ?? null)
                  changes.removing.mutate({ file })
                }}
              >
                Remove
              </SmallButton>
            </>
          )}
        </div>
      </div>
      {changes && (
        <Dialog
          title="Black out areas"
          size="lg"
          isOpen={isRedacting}
          onClose={() => setIsRedacting(false)}
          closesByClickBeside={false}
          isOnTop
        >
          {() => (
            <RedactPhoto mapId={mapId} file={file} changes={changes} onClose={() => setIsRedacting(false)} />
          )}
        </Dialog>
      )}
    </div>
  )
}

type StepProps = { label: string; side: 'left' | 'right'; isOff: boolean; onClick(): void }

function Step({ label, side, isOff, onClick }: StepProps) {
  const Icon = side === 'left' ? IconChevronLeft : IconChevronRight
  if (isOff) return null
  return (
    <ActionIcon
      className={classes.step}
      data-side={side}
      variant="filled"
      color="dark"
      radius="xl"
      size={44}
      aria-label={label}
      onClick={onClick}
    >
      <Icon size={24} />
    </ActionIcon>
  )
}

function Caption({ file, changes }: { file: FileOfFeature; changes: FileChanges }) {
  const [text, setText] = useState(file.caption)
  const say = () => {
    const caption = text.trim()
    if (caption === file.caption) return
    changes.changing.mutate({ file, change: { caption }, done: 'Caption saved' })
  }
  return (
    <TextInput
      aria-label="Caption"
      placeholder="Caption"
      maxLength={500}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={say}
      onKeyDown={(event) => {
        if (event.key === 'Enter') say()
      }}
    />
  )
}

function Origin({ file: { addedAt, addedBy, takenAt, size } }: { file: FileOfFeature }) {
  return (
    <p className={classes.origin}>
      {takenAt && `Taken ${takenText(takenAt)} · `}
      Added{' '}
      <time dateTime={addedAt} title={exactTime(addedAt)}>
        {relativeTime(addedAt)}
      </time>
      {addedBy && ` by ${addedBy} · ${formatBytes(size)}`}
    </p>
  )
}
