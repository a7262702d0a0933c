import { Button } from '@mantine/core'
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { useOwnFields } from '#web/api/own-fields.api.ts'
import type { EditingSlot } from '#web/features/detail-panel.tsx'
import { useIsPhone } from '#web/ui/device.ts'
import { SideDialog } from '#web/ui/dialog.tsx'
import { tellDone } from '#web/ui/toasts.tsx'
import { type KeptDrafts, keptDrafts, leftAs } from './kept-drafts.ts'
import { OpenElsewhere, useOtherReaders } from './open-elsewhere.tsx'
import { changesOf, countText, type Draft, nameOf, newDraft, rebase, valuesOf } from './record-draft.ts'
import { RecordForm } from './record-form.tsx'
import { RecordTimeline } from './record-timeline.tsx'
import { useFollowFields } from './use-follow-fields.ts'
import { usePlace } from './use-place.tsx'
import { useRecordChanges } from './use-record-changes.ts'

type RecordEditingProps = EditingSlot & {
  /** Whose the changes are. */
  editorId: string
  onRemove(): void
  onDuplicate(): void
}

/** The details of a feature with what an editor does to it: 'Edit' makes a form of them, in their place. */
export function RecordEditing(props: RecordEditingProps) {
  const { feature, editorId, header, status, facts, onRemove, onDuplicate } = props
  const { mapId } = feature
  const isPhone = useIsPhone()
  const kept = keptDrafts(editorId)
  const { draft, set } = useDraft(kept, feature)
  const count = changesOf(draft).length
  const [isOpen, setIsOpen] = useState(count > 0)
  const [isAskedFor, setIsAskedFor] = useState(false)
  const place = usePlace(draft, isOpen, set)
  const editRef = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  const { saving, removing, restoring } = useRecordChanges(mapId, kept, {
    onSaved: () => setIsOpen(false),
  })
  const name = nameOf(feature)

  // Back to where it began.
  useEffect(() => {
    if (wasOpen.current && !isOpen && !isPhone) editRef.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, isPhone])

  function cancel() {
    kept.forget(feature)
    saving.reset()
    setIsOpen(false)
    if (count === 0) return
    const undo = () => {
      kept.keep(draft)
      setIsOpen(true)
    }
    tellDone(`${countText(count)} of ‘${name}’ dropped`, { dependsOn: leftAs(kept, feature), undo })
  }

  const others = useOtherReaders({ mapId, id: feature.id, isEditing: isOpen })
  const elsewhere = <OpenElsewhere others={others} isEditing={isOpen} />
  const form = () => (
    <RecordForm
      draft={draft}
      place={place}
      hasFocus={isAskedFor && !isPhone}
      saving={saving}
      onChange={set}
      onCancel={cancel}
      onClose={() => setIsOpen(false)}
    />
  )
  if (isOpen && !isPhone)
    return (
      <>
        {header(null)}
        {elsewhere}
        {form()}
      </>
    )
  return (
    <>
      {header(
        <>
          {status}
          <Button
            ref={editRef}
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} aria-hidden="true" />}
            aria-label={count > 0 ? undefined : `Edit ${name}`}
            onClick={() => {
              setIsAskedFor(true)
              setIsOpen(true)
            }}
          >
            {count > 0 ? `Go on: ${countText(count)}` : 'Edit'}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconCopy size={14} aria-hidden="true" />}
            aria-label={`Duplicate ${name}`}
            onClick={onDuplicate}
          >
            Duplicate
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTrash size={14} aria-hidden="true" />}
            aria-label={`Remove ${name}`}
            onClick={() => {
              // Its details close at once: they would be asked for again in vain.
              onRemove()
              removing.mutate(feature)
            }}
          >
            Remove
          </Button>
        </>,
      )}
      {!isOpen && elsewhere}
      {facts}
      <RecordTimeline
        feature={feature}
        isRestoring={restoring.isPending}
        onRestore={(moment) => restoring.mutate({ feature, moment })}
      />
      {isPhone && (
        <SideDialog
          label={`Edit ‘${name}’`}
          from="bottom"
          // What is done on the map has the whole screen.
          isOpen={isOpen && place.task === null}
          onClose={() => setIsOpen(false)}
        >
          {() => (
            <>
              {elsewhere}
              {form()}
            </>
          )}
        </SideDialog>
      )}
    </>
  )
}

/** The changes of one feature, and nothing where there are none: then the form says what there is. */
function useDraft(kept: KeptDrafts, feature: FeatureDetail) {
  const known = useSyncExternalStore(kept.listen, () => kept.of(feature))
  const ownFields = useOwnFields(feature.mapId)
  const draft = known ?? newDraft(feature, ownFields)
  useFollowFields(kept, known, feature.mapId)
  // What somebody else did meanwhile is taken over at once, so that nobody writes over it unseen.
  const isBehind = known !== null && known.base.version !== feature.version
  useEffect(() => {
    if (isBehind) keepIfTouched(kept, rebase(known, feature))
  }, [isBehind, kept, known, feature])
  return { draft, set: (changed: Draft) => keepIfTouched(kept, changed) }
}

/** A text that means the same is kept, too: '12.' is on its way to '12.5'. */
function keepIfTouched(kept: KeptDrafts, draft: Draft) {
  const before = valuesOf(draft)
  const isTouched =
    draft.geometry !== null ||
    draft.typedPlace !== null ||
    Object.entries(draft.values).some(([path, text]) => text !== before[path])
  if (isTouched || draft.told.length > 0) kept.keep(draft)
  else kept.forget(draft.base)
}
