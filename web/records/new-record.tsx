import { useState } from 'react'
import { DetailContent, DetailFrame, DetailHeader, DetailMessage } from '#web/features/detail-frame.tsx'
import { useIsPhone } from '#web/ui/device.ts'
import { SideDialog } from '#web/ui/dialog.tsx'
import { FormHeader } from '#web/ui/form-frame.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import { ChosenFiles } from './chosen-files.tsx'
import { changesOf, type Draft, newTitle, summaryOf, titleOf } from './record-draft.ts'
import { type RecordDrafts, recordDrafts, unchangedDraft, useCurrentFields } from './record-drafts.ts'
import { RecordForm } from './record-form.tsx'
import { usePlace } from './use-place.tsx'
import { useRecordChanges } from './use-record-changes.ts'
import { waitingFiles } from './waiting-files.ts'

type NewRecordProps = {
  mapId: string
  id: string
  editorId: string
  onClose(): void
  onReopen(): void
  onAdded(id: string): void
  onGone(id: string): void
  /** Uploads the files that waited for the record. */
  onFiles(id: string, files: readonly File[]): void
}

export function NewRecord(props: NewRecordProps) {
  const { mapId, id, editorId, onClose } = props
  const drafts = recordDrafts(editorId)
  drafts.use()
  const draft = drafts.find({ mapId, id })
  useCurrentFields(drafts, draft, mapId)
  if (draft) return <Form {...props} drafts={drafts} draft={draft} />
  return (
    <DetailFrame announcement="" onClose={onClose}>
      <DetailMessage title="Draft not found">
        A new record can only be continued in the browser tab where it was started.
      </DetailMessage>
    </DetailFrame>
  )
}

type FormProps = NewRecordProps & { drafts: RecordDrafts; draft: Draft }

function Form({ mapId, drafts, draft, onClose, onReopen, onAdded, onGone, onFiles }: FormProps) {
  const files = waitingFiles.useOf(draft.base)
  const isPhone = useIsPhone()
  const { saving } = useRecordChanges(mapId, drafts, {
    onSaved(saved) {
      const waiting = waitingFiles.of(saved)
      waitingFiles.set(saved, [])
      if (waiting.length > 0) onFiles(saved.id, waiting)
      onAdded(saved.id)
    },
    onGone,
  })
  const place = usePlace(draft, true, drafts.save)
  const title = titleOf(draft)
  const heading = newTitle(draft.base.kind)

  const isBlank = changesOf(draft).length === 0 && files.length === 0
  function close() {
    if (isBlank) drafts.discard(draft.base)
    onClose()
  }
  function cancel() {
    drafts.discard(draft.base)
    waitingFiles.set(draft.base, [])
    onClose()
    if (isBlank) return
    const undo = () => {
      drafts.save(draft)
      waitingFiles.set(draft.base, files)
      onReopen()
    }
    showSuccess(`Discarded ‘${title}’`, { dependsOn: unchangedDraft(drafts, draft.base), undo })
  }
  // The place is set before the fields.
  const [hadTask] = useState(place.task !== null)
  const form = () => (
    <RecordForm
      draft={draft}
      place={place}
      hasFocus={!isPhone && place.task === null && (!hadTask || place.ended === 1)}
      saving={saving}
      onChange={drafts.save}
      files={
        <ChosenFiles
          label="Photos and files of the new record"
          files={files}
          onChange={(chosen) => waitingFiles.set(draft.base, chosen)}
        />
      }
      onCancel={cancel}
      onClose={close}
    />
  )
  return (
    <DetailFrame announcement={title} onClose={close}>
      <DetailContent>
        {isPhone ? (
          <DetailHeader shown={{ ...summaryOf(draft), name: title }} styleName="types" controls={null} />
        ) : (
          <>
            <FormHeader title={heading} />
            {form()}
          </>
        )}
      </DetailContent>
      {isPhone && (
        <SideDialog label={heading} from="bottom" isOpen={place.task === null} onClose={close}>
          {form}
        </SideDialog>
      )}
    </DetailFrame>
  )
}
