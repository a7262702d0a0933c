import { ActionIcon, Menu } from '@mantine/core'
import { IconCopy, IconDots, IconPencil, IconTrash, IconUsers, IconVectorBezier } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { OtherViewer } from '#domain/features/open-record.schema.ts'
import { openReportEveryMs } from '#domain/features/open-record.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { newKey } from '#web/api/http.ts'
import { type OpenRecord, reportClosed, reportOpen } from '#web/api/open-records.api.ts'
import { UnsavedBadge } from '#web/features/badges.tsx'
import type { EditingSlot } from '#web/features/detail-panel.tsx'
import { useIsPhone } from '#web/ui/device.ts'
import { SideDialog } from '#web/ui/dialog.tsx'
import { FormHeader } from '#web/ui/form-frame.tsx'
import { exactTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { tip } from '#web/ui/tips.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import { shapeDrafts, startShaping } from '#web/workspace/shaping.ts'
import { changesOf, countText, type Draft, newDraft, rebase, recordName, valuesOf } from './record-draft.ts'
import { type RecordDrafts, recordDrafts, unchangedDraft, useCurrentFields } from './record-drafts.ts'
import classes from './record-editing.module.css'
import { RecordForm } from './record-form.tsx'
import { RecordLineage } from './record-lineage.tsx'
import { RecordTimeline } from './record-timeline.tsx'
import { usePlace } from './use-place.tsx'
import { useRecordChanges } from './use-record-changes.ts'

type RecordEditingProps = EditingSlot & {
  editorId: string
  onRemove(): void
  onDuplicate(): void
}

export function RecordEditing(props: RecordEditingProps) {
  const { feature, editorId, header, status, facts, missing, onRemove, onDuplicate } = props
  const { mapId } = feature
  const isPhone = useIsPhone()
  const drafts = recordDrafts(editorId)
  const { draft, set } = useDraft(drafts, feature)
  const count = changesOf(draft).length
  const [isOpen, setIsOpen] = useState(count > 0)
  const [isAskedFor, setIsAskedFor] = useState(false)
  const place = usePlace(draft, isOpen, set)
  const editRef = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  const { saving, removing, restoring } = useRecordChanges(mapId, drafts, {
    onSaved: () => setIsOpen(false),
  })
  const name = recordName(feature)
  const title = `Edit ‘${name}’`

  useEffect(() => {
    if (wasOpen.current && !isOpen && !isPhone) {
      editRef.current?.closest('section')?.scrollTo({ top: 0 })
      editRef.current?.focus()
    }
    wasOpen.current = isOpen
  }, [isOpen, isPhone])

  function cancel() {
    drafts.discard(feature)
    saving.reset()
    setIsOpen(false)
    if (count === 0) return
    const undo = () => {
      drafts.save(draft)
      setIsOpen(true)
    }
    showSuccess(`Discarded ${countText(count)} to ‘${name}’`, {
      dependsOn: unchangedDraft(drafts, feature),
      undo,
    })
  }

  const isShaping = shapeDrafts(editorId, mapId).use()?.id === feature.id
  const others = useOtherReaders({ mapId, id: feature.id, isEditing: isOpen || isShaping })
  const elsewhere = <OpenElsewhere others={others} isEditing={isOpen || isShaping} />
  const form = () => (
    <RecordForm
      draft={draft}
      place={place}
      hasFocus={isAskedFor && !isPhone}
      saving={saving}
      isRemoved={missing !== null}
      onChange={set}
      onCancel={cancel}
      onClose={() => setIsOpen(false)}
    />
  )
  if (missing !== null && count === 0) return missing
  if (isOpen && !isPhone)
    return (
      <>
        <FormHeader title={title} />
        {elsewhere}
        {form()}
      </>
    )
  return (
    <>
      {header(
        <>
          {count > 0 && <UnsavedBadge />}
          {status}
          <SmallButton
            ref={editRef}
            icon={IconPencil}
            iconSize={14}
            aria-label={count > 0 ? undefined : `Edit ${name}`}
            onClick={() => {
              setIsAskedFor(true)
              setIsOpen(true)
            }}
          >
            {count > 0 ? `Continue: ${countText(count)}` : 'Edit'}
          </SmallButton>
          <SmallButton
            icon={IconVectorBezier}
            iconSize={14}
            aria-label={`Edit shape of ${name}`}
            onClick={() => startShaping(editorId, mapId, { kind: feature.kind, id: feature.id })}
          >
            Edit shape
          </SmallButton>
          <Menu position="bottom-end" withinPortal returnFocus>
            <Menu.Target>
              <ActionIcon
                {...tip('More actions')}
                variant="default"
                size={isPhone ? 44 : 30}
                aria-label={`More actions for ${name}`}
              >
                <IconDots size={16} aria-hidden="true" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconCopy size={16} aria-hidden="true" />} onClick={onDuplicate}>
                Duplicate
              </Menu.Item>
              <Menu.Item
                color="var(--mantine-color-error)"
                leftSection={<IconTrash size={16} aria-hidden="true" />}
                onClick={() => {
                  // Closes the details first, so that they are not loaded again.
                  onRemove()
                  removing.mutate(feature)
                }}
              >
                Remove
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>,
      )}
      {!isOpen && elsewhere}
      {facts}
      <RecordLineage feature={feature} />
      <RecordTimeline
        feature={feature}
        isRestoring={restoring.isPending}
        onRestore={(point) => restoring.mutate({ feature, point })}
      />
      {isPhone && (
        <SideDialog
          label={title}
          from="bottom"
          // Closed while the user places or draws on the map.
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

function useDraft(drafts: RecordDrafts, feature: FeatureDetail) {
  drafts.use()
  const unsaved = drafts.find(feature)
  const customFields = useCustomFields(feature.mapId)
  useCurrentFields(drafts, unsaved, feature.mapId)
  // Changes of other users are merged at once, so that they are not overwritten unseen.
  const isBehind = unsaved !== null && unsaved.base.version !== feature.version
  useEffect(() => {
    if (isBehind) saveIfEdited(drafts, rebase(unsaved, feature))
  }, [isBehind, drafts, unsaved, feature])
  return {
    draft: unsaved ?? newDraft(feature, customFields),
    set: (changed: Draft) => saveIfEdited(drafts, changed),
  }
}

/** Also saves a text with the same meaning, such as '12.' on the way to '12.5'. */
function saveIfEdited(drafts: RecordDrafts, draft: Draft) {
  const before = valuesOf(draft)
  const isEdited =
    draft.geometry !== null ||
    draft.typedPlace !== null ||
    Object.entries(draft.values).some(([path, text]) => text !== before[path])
  if (isEdited || draft.updated.length > 0) drafts.save(draft)
  else drafts.discard(draft.base)
}

type OpenElsewhereProps = { others: readonly OtherViewer[]; isEditing: boolean }

function OpenElsewhere({ others, isEditing }: OpenElsewhereProps) {
  return (
    <div role="status" className={classes.others} data-others>
      {others.map((other) => (
        <p key={`${other.isSelf} ${other.name}`} title={`Since ${exactTime(other.since)}`}>
          <IconUsers size={16} aria-hidden="true" />
          {say(other, isEditing)}
        </p>
      ))}
    </div>
  )
}

function say({ name, isSelf, isEditing }: OtherViewer, isEditedHere: boolean): string {
  if (isSelf) return `You ${isEditing ? 'are editing this' : 'have this open'} in another window`
  if (!isEditing) return `${name} is also viewing this`
  return isEditedHere ? `${name} is also editing this` : `${name} is editing this`
}

type ReadRecord = { mapId: string; id: string; isEditing: boolean }

function useOtherReaders({ mapId, id, isEditing }: ReadRecord): readonly OtherViewer[] {
  const [others, setOthers] = useState<readonly OtherViewer[]>([])
  /** Requests are sent one after another, so that their order is kept. */
  const lastRequest = useRef<Promise<unknown>>(Promise.resolve())
  const opened = useRef<OpenRecord>(null)
  const tell = useEffectEvent(() => {
    const record = opened.current
    if (!record) return
    lastRequest.current = lastRequest.current
      .then(() => reportOpen(record, isEditing))
      .catch(() => ({ others: [] }))
      .then((answer) => setOthers(answer.others))
  })
  useEffect(() => {
    const open = () => {
      opened.current = { mapId, id, pageId: newKey() }
    }
    const close = () => {
      const record = opened.current
      opened.current = null
      if (record) void reportClosed(record).catch(() => {})
    }
    // The browser restored the page from its cache.
    const openAgain = () => {
      if (!opened.current) open()
      tell()
    }
    open()
    const timer = window.setInterval(tell, openReportEveryMs)
    window.addEventListener('pagehide', close)
    window.addEventListener('pageshow', openAgain)
    return () => {
      window.clearInterval(timer)
      window.removeEventListener('pagehide', close)
      window.removeEventListener('pageshow', openAgain)
      close()
    }
  }, [mapId, id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other users see at once that the form was opened or closed.
  useEffect(() => tell(), [isEditing])
  return others
}
