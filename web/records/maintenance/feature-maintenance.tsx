import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { MaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { newKey } from '#web/api/http.ts'
import { maintenanceQuery } from '#web/api/maintenance.api.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { Dialog, SideDialog } from '#web/ui/dialog.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { calendarDay, exactTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { tip } from '#web/ui/tips.tsx'
import { DueDay } from './due-day.tsx'
import {
  draftOfEntry,
  draftOfNewEntry,
  type EntryDraft,
  hasChanges,
  isEdited,
  unsavedEntry,
} from './entry-draft.ts'
import { EntryForm } from './entry-form.tsx'
import { entryFacts } from './entry-text.ts'
import classes from './feature-maintenance.module.css'
import { planText } from './plan-in-words.tsx'
import { useMaintenanceChanges } from './use-maintenance-changes.ts'

/** As the specification says. */
const shownFirst = 3

export type Asset = Extract<FeatureDetail, { kind: 'asset' }>

export type FilesOfEntries = {
  of(entry: MaintenanceEntry): React.ReactNode
  send(files: readonly File[], entryId: string): void
}

type FeatureMaintenanceProps = {
  asset: Asset
  editorId: string | null
  files: FilesOfEntries
}

export function FeatureMaintenance({ asset, editorId, files }: FeatureMaintenanceProps) {
  const log = useQuery(maintenanceQuery(asset.mapId, asset.id))
  const [isWhole, setIsWhole] = useState(false)
  const plan = planText(asset.maintenancePlan)
  const failure = loadFailure(log, 'Could not load maintenance.')
  if (failure) return failure
  if (!log.data) return null
  const { items, nextDue } = log.data
  if (editorId === null && items.length === 0 && plan === null && nextDue === null) return null
  const shown = isWhole ? items : items.slice(0, shownFirst)
  const list = (controls: (entry: MaintenanceEntry) => React.ReactNode) =>
    items.length > 0 && (
      <ol className={classes.list} aria-label="Maintenance entries">
        {shown.map((entry) => (
          <li key={entry.id}>
            <div className={classes.content}>
              <Entry entry={entry} />
              {files.of(entry)}
            </div>
            {controls(entry)}
          </li>
        ))}
      </ol>
    )
  return (
    <section className={classes.section} aria-label="Maintenance">
      <div className={classes.head}>
        <h3>Maintenance</h3>
        {nextDue !== null && <DueDay day={nextDue} />}
      </div>
      {plan !== null && (
        <p className={classes.plan}>
          Plan: {plan}
          {nextDue === null && asset.maintenancePlan?.everyMonths !== null && items.length === 0 && (
            <>
              . <b>No due date yet</b>
              {editorId !== null && <span data-print-hidden>: enter ‘First due’ under ‘Edit’</span>}
            </>
          )}
        </p>
      )}
      {plan === null && items.length === 0 && editorId !== null && (
        <p className={classes.plan} data-print-hidden>
          No maintenance yet. Add a plan under ‘Edit’ to see due dates.
        </p>
      )}
      {editorId === null ? (
        list(() => null)
      ) : (
        <Editable asset={asset} editorId={editorId} files={files} list={list} />
      )}
      {items.length > shownFirst && (
        <Button
          className={classes.more}
          variant="subtle"
          size="compact-sm"
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${formatNumber(items.length)}`}
        </Button>
      )}
    </section>
  )
}

function Entry({ entry }: { entry: MaintenanceEntry }) {
  const { date, text, createdAt, createdBy } = entry
  const facts = entryFacts(entry)
  return (
    <div
      className={classes.entry}
      title={createdBy ? `Added by ${createdBy}, ${exactTime(createdAt)}` : undefined}
    >
      <p>
        <time dateTime={date}>{calendarDay(date)}</time> {text}
      </p>
      {facts.length > 0 && <p className={classes.facts}>{facts.join(' · ')}</p>}
    </div>
  )
}

type EditableProps = {
  asset: Asset
  editorId: string
  files: FilesOfEntries
  list(controls: (entry: MaintenanceEntry) => React.ReactNode): React.ReactNode
}

function Editable({ asset, editorId, files, list }: EditableProps) {
  const { mapId, id, maintenancePlan } = asset
  const name = asset.name || 'Untitled'
  const unsaved = unsavedEntry(editorId, mapId, id)
  const isPhone = useIsPhone()
  const [draft, setDraft] = useState(unsaved.get)
  const [isOpen, setIsOpen] = useState(false)
  const { saving, doing, removing } = useMaintenanceChanges({ mapId, id, name }, finish)
  const task = maintenancePlan?.task ?? 'Maintenance'

  function set(changed: EntryDraft | null) {
    setDraft(changed)
    unsaved.save(changed, name)
  }
  function put(changed: EntryDraft | null) {
    set(changed)
    saving.reset()
    setIsOpen(changed !== null)
  }
  function finish(saved: EntryDraft) {
    put(null)
    if (saved.files.length > 0) files.send(saved.files, saved.id)
  }
  /** New files alone do not change the entry itself. */
  function save(written: EntryDraft) {
    if (written.base === null || isEdited(written)) saving.mutate(written)
    else finish(written)
  }
  function close() {
    if (draft && !hasChanges(draft)) set(null)
    setIsOpen(false)
  }
  const form = () =>
    draft && (
      <EntryForm
        mapId={mapId}
        draft={draft}
        saving={{ ...saving, mutate: save }}
        onChange={set}
        onCancel={() => put(null)}
      />
    )
  const title = draft?.base ? `Edit maintenance of ‘${name}’` : `Add maintenance of ‘${name}’`
  return (
    <>
      <div className={classes.controls}>
        <SmallButton
          icon={IconCheck}
          iconSize={14}
          loading={doing.isPending}
          onClick={() => doing.mutate(task)}
        >
          Mark done today
        </SmallButton>
        <SmallButton
          icon={IconPlus}
          iconSize={14}
          onClick={() =>
            draft ? setIsOpen(true) : put(draftOfNewEntry(newKey(), maintenancePlan?.task ?? ''))
          }
        >
          {draft && !isOpen ? 'Continue entry' : 'Add entry'}
        </SmallButton>
      </div>
      {list((entry) => (
        <div className={classes.rowControls}>
          <ActionIcon
            {...tip('Edit entry')}
            variant="subtle"
            color="gray"
            aria-label={`Edit entry of ${calendarDay(entry.date)}`}
            onClick={() => put(draft?.base?.id === entry.id ? draft : draftOfEntry(entry))}
          >
            <IconPencil size={16} />
          </ActionIcon>
          <ActionIcon
            {...tip('Remove entry')}
            variant="subtle"
            color="gray"
            aria-label={`Remove entry of ${calendarDay(entry.date)}`}
            loading={removing.isPending && removing.variables.id === entry.id}
            onClick={() => removing.mutate(entry)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      {isPhone ? (
        <SideDialog label={title} from="bottom" isOpen={isOpen} onClose={close}>
          {form}
        </SideDialog>
      ) : (
        <Dialog title={title} isOpen={isOpen} onClose={close} closesByClickBeside={false}>
          {form}
        </Dialog>
      )}
    </>
  )
}
