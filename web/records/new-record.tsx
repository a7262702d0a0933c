import { useState, useSyncExternalStore } from 'react'
import { DetailContent, DetailFrame, DetailHeader, DetailMessage } from '#web/features/detail-frame.tsx'
import { useIsPhone } from '#web/ui/device.ts'
import { SideDialog } from '#web/ui/dialog.tsx'
import { MoreBelow } from '#web/ui/more-below.tsx'
import { tellDone } from '#web/ui/toasts.tsx'
import { type KeptDrafts, keptDrafts, leftAs } from './kept-drafts.ts'
import { changesOf, type Draft, newTitle, seenAs, titleOf } from './record-draft.ts'
import { RecordForm } from './record-form.tsx'
import { useFollowFields } from './use-follow-fields.ts'
import { usePlace } from './use-place.tsx'
import { useRecordChanges } from './use-record-changes.ts'

type NewRecordProps = {
  mapId: string
  id: string
  editorId: string
  onClose(): void
  /** It was closed, and shall not be. */
  onReopen(): void
  /** It is on the map from now on. */
  onAdded(id: string): void
  /** It is not any more. */
  onGone(id: string): void
}

/** In the place of the details: a record that nobody else has yet. */
export function NewRecord(props: NewRecordProps) {
  const { mapId, id, editorId, onClose } = props
  const kept = keptDrafts(editorId)
  const draft = useSyncExternalStore(kept.listen, () => kept.of({ mapId, id }))
  useFollowFields(kept, draft, mapId)
  if (draft) return <Form {...props} kept={kept} draft={draft} />
  return (
    <DetailFrame announcement="" onClose={onClose}>
      <DetailMessage title="Nothing to add here">
        What is being added is kept in the tab in which somebody began it, until it is added.
      </DetailMessage>
    </DetailFrame>
  )
}

type FormProps = NewRecordProps & { kept: KeptDrafts; draft: Draft }

function Form({ mapId, kept, draft, onClose, onReopen, onAdded, onGone }: FormProps) {
  const isPhone = useIsPhone()
  const { saving } = useRecordChanges(mapId, kept, {
    onSaved: ({ id }) => onAdded(id),
    onGone,
  })
  const place = usePlace(draft, true, kept.keep)
  const title = titleOf(draft)

  // Nobody asked for a form that says nothing yet.
  const isBlank = changesOf(draft).length === 0
  function close() {
    if (isBlank) kept.forget(draft.base)
    onClose()
  }
  function cancel() {
    kept.forget(draft.base)
    onClose()
    if (isBlank) return
    const undo = () => {
      kept.keep(draft)
      onReopen()
    }
    tellDone(`‘${title}’ is not added`, { dependsOn: leftAs(kept, draft.base), undo })
  }
  // First the place, then the words.
  const [hadTask] = useState(place.task !== null)
  const form = () => (
    <RecordForm
      draft={draft}
      place={place}
      hasFocus={!isPhone && place.task === null && (!hadTask || place.ended === 1)}
      saving={saving}
      onChange={kept.keep}
      onCancel={cancel}
      onClose={close}
    />
  )
  return (
    <DetailFrame announcement={title} onClose={close}>
      <DetailContent>
        <DetailHeader shown={{ ...seenAs(draft), name: title }} look="types" controls={null} />
        {!isPhone && form()}
      </DetailContent>
      {isPhone ? (
        <SideDialog
          label={newTitle(draft.base.kind)}
          from="bottom"
          isOpen={place.task === null}
          onClose={close}
        >
          {form}
        </SideDialog>
      ) : (
        <MoreBelow />
      )}
    </DetailFrame>
  )
}
