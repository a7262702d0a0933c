import { Button, SegmentedControl } from '@mantine/core'
import {
  IconArrowBackUp,
  IconFileImport,
  IconFileTypePdf,
  IconPencil,
  IconPhoto,
  IconPlus,
  IconTool,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { hasField } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { GeometrySummary, HistoryEntry } from '#domain/features/history.schema.ts'
import type { FileOfFeature } from '#domain/files/file.schema.ts'
import type { MaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import { localDay } from '#domain/values/time-zones.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { featureHistoryQuery, type HistoryPoint, lineageQuery } from '#web/api/features.api.ts'
import { fileAddress, filesQuery } from '#web/api/files.api.ts'
import { maintenanceQuery } from '#web/api/maintenance.api.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { calendarDay, exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { EmptyState, LoadingRows } from '#web/ui/states.tsx'
import { timeZone } from '#web/ui/time-zone.ts'
import { useUndoChange } from '#web/workspace/use-undo-change.ts'
import { FieldChanges } from './field-changes.tsx'
import { entryFacts } from './maintenance/entry-text.ts'
import { landWords } from './record-lineage.tsx'
import classes from './record-timeline.module.css'

type RecordTimelineProps = {
  feature: FeatureDetail
  isRestoring: boolean
  onRestore(point: HistoryPoint): void
}

export function RecordTimeline(props: RecordTimelineProps) {
  const sectionRef = useRef<HTMLElement>(null)
  /** It is the last part of the details, and opens below their edge. */
  const showEntries = (isOpen: boolean) => {
    if (isOpen) requestAnimationFrame(() => sectionRef.current?.scrollIntoView({ block: 'start' }))
  }
  return (
    <section ref={sectionRef} className={classes.timeline} aria-label="Timeline">
      <Disclosure label="Timeline" look="title" onToggle={showEntries}>
        <Happenings {...props} />
      </Disclosure>
    </section>
  )
}

const kinds = { changes: 'Changes', maintenance: 'Maintenance', files: 'Photos and files' } as const
type Kind = keyof typeof kinds

type TimelineEvent = {
  key: string
  kind: Kind
  at: string
  icon: ReactNode
  content: ReactNode
}

const shownFirst = 20

function Happenings({ feature, isRestoring, onRestore }: RecordTimelineProps) {
  const { mapId, id } = feature
  const history = useQuery(featureHistoryQuery(mapId, id))
  const isMaintained = hasField(feature, 'maintenanceHistory')
  const maintenance = useQuery({ ...maintenanceQuery(mapId, id), enabled: isMaintained })
  const files = useQuery(filesQuery(mapId, id))
  const lineage = useQuery({ ...lineageQuery(mapId, id), enabled: feature.kind === 'parcel' }).data
  const [chosen, setChosen] = useState<Kind | 'all'>('all')
  const [isWhole, setIsWhole] = useState(false)
  const [confirming, setConfirming] = useState<{ point: HistoryPoint; others: number } | null>(null)
  const queries = [history, files, ...(isMaintained ? [maintenance] : [])]
  const failed = queries.find(({ isError, data }) => isError && !data)
  if (failed)
    return (
      <ErrorState
        title="Could not load the timeline."
        error={failed.error}
        onRetry={() => failed.refetch()}
      />
    )
  if (!history.data || !files.data || (isMaintained && !maintenance.data))
    return <LoadingRows label="Loading timeline" />

  const { items: entries, names } = history.data
  /** `later` are the changes after the restored version. */
  function restore(point: HistoryPoint, later: readonly HistoryEntry[]) {
    if (!changesBorders(later)) return onRestore(point)
    const shared = later.find((entry) => entry.others > 0 && shapesIn(entry).length > 0)
    setConfirming({ point, others: shared?.others ?? 0 })
  }
  const changes = entries.map(
    (entry, index): TimelineEvent => ({
      key: entry.changeId,
      kind: 'changes',
      at: entry.at,
      icon: iconOf(entry),
      content: (
        <HistoryItem
          feature={feature}
          entry={entry}
          names={names}
          did={doing(entry, (lineage && landWords(lineage, entry.changeId, id)) ?? null)}
          isLatest={index === 0}
          isUndone={isUndone(entries, entry)}
          isUndo={isUndo(entries, entry)}
          isRestoring={isRestoring}
          onRestore={(point) => restore(point, entries.slice(0, index))}
        />
      ),
    }),
  )
  const oldest = entries.at(-1)
  const hasEarlierVersion = oldest !== undefined && hasFieldChanges(oldest)
  if (hasEarlierVersion)
    changes.push({
      key: 'before',
      kind: 'changes',
      at: oldest.at,
      icon: <IconPlus size={16} />,
      content: (
        <p className={classes.head}>
          <span>Earlier version</span>
          <Restore
            isRestoring={isRestoring}
            onRestore={() => restore({ changeId: oldest.changeId, isBefore: true }, entries)}
          />
        </p>
      ),
    })
  const happened = [
    ...changes,
    // Entries written on the day of the work are among the changes.
    ...(maintenance.data?.items ?? [])
      .filter((entry) => chosen === 'maintenance' || !isWrittenAtOnce(entry))
      .map(entryEvent),
    ...files.data.items.map((file) => fileEvent(mapId, file)),
    ...files.data.removed.flatMap((file) => [fileEvent(null, file), removalEvent(file)]),
  ]
  const available = (Object.keys(kinds) as Kind[]).filter((one) =>
    one === 'maintenance'
      ? (maintenance.data?.items.length ?? 0) > 0
      : happened.some((happening) => happening.kind === one),
  )
  const matching = happened.filter((happening) => chosen === 'all' || happening.kind === chosen)
  // The order of simultaneous events stays.
  const inOrder = matching.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  const shown = isWhole ? inOrder : inOrder.slice(0, shownFirst)
  if (available.length === 0) return <EmptyState text="No changes yet" />
  return (
    <>
      {available.length > 1 && (
        <SegmentedControl
          className={classes.kinds}
          aria-label="Show"
          size="xs"
          value={chosen}
          data={[
            { value: 'all', label: 'All' },
            ...available.map((one) => ({ value: one, label: kinds[one] })),
          ]}
          onChange={setChosen}
        />
      )}
      <ol className={classes.list}>
        {shown.map(({ key, icon, content }) => (
          <li key={key}>
            <span className={classes.icon} aria-hidden="true">
              {icon}
            </span>
            <div>{content}</div>
          </li>
        ))}
      </ol>
      {inOrder.length > shownFirst && (
        <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${formatNumber(inOrder.length)}`}
        </Button>
      )}
      <Confirmation
        title="Restore the earlier shape?"
        isOpen={confirming !== null}
        stay="Cancel"
        onStay={() => setConfirming(null)}
        go="Restore"
        onGo={() => {
          setConfirming(null)
          if (confirming) onRestore(confirming.point)
        }}
      >
        {() => (
          <>
            <p>The shapes of other records stay as they are, so gaps or overlaps may remain.</p>
            {confirming !== null && confirming.others > 0 && (
              <p>
                ‘Undo in all {formatNumber(confirming.others + 1)} records’ in the timeline restores all of
                them together.
              </p>
            )}
          </>
        )}
      </Confirmation>
    </>
  )
}

function iconOf({ action, undoes }: HistoryEntry): ReactNode {
  if (action === 'added') return <IconPlus size={16} />
  if (action === 'removed') return <IconTrash size={16} />
  if (action === 'imported') return <IconFileImport size={16} />
  return action === 'put-back' || undoes !== null ? <IconArrowBackUp size={16} /> : <IconPencil size={16} />
}

const isWrittenAtOnce = ({ date, createdAt, createdBy }: MaintenanceEntry) =>
  createdBy !== null && localDay(Date.parse(createdAt), timeZone()) === date

/** At noon of its day, unless it was written on that day. */
function entryEvent(entry: MaintenanceEntry): TimelineEvent {
  const { id, date, text, createdAt } = entry
  return {
    // The change that added it has the same id.
    key: `entry ${id}`,
    kind: 'maintenance',
    at: isWrittenAtOnce(entry) ? createdAt : `${date}T12:00:00.000Z`,
    icon: <IconTool size={16} />,
    content: (
      <>
        <p className={classes.head}>
          <span>
            {text}, <time dateTime={date}>{calendarDay(date)}</time>
          </span>
        </p>
        <p className={classes.facts}>{entryFacts(entry).join(' · ')}</p>
      </>
    ),
  }
}

const signOf = ({ kind }: FileOfFeature) =>
  kind === 'photo' ? <IconPhoto size={16} /> : <IconFileTypePdf size={16} />
const nounOf = ({ kind }: FileOfFeature) => (kind === 'photo' ? 'a photo' : 'a document')

function fileEvent(mapId: string | null, file: FileOfFeature): TimelineEvent {
  const { id, kind, caption, name, addedAt, addedBy } = file
  return {
    key: id,
    kind: 'files',
    at: addedAt,
    icon: signOf(file),
    content: (
      <>
        <p className={classes.head}>
          <span>
            <strong>{addedBy ?? 'Unknown user'}</strong> added {nounOf(file)}, <When at={addedAt} />
          </span>
        </p>
        <p className={classes.facts}>{caption || name}</p>
        {mapId !== null && kind === 'photo' && (
          <img className={classes.photo} src={fileAddress(mapId, id, 'small')} alt="" loading="lazy" />
        )}
      </>
    ),
  }
}

function removalEvent(file: FileOfFeature & { removedAt: string; removedBy: string }): TimelineEvent {
  const { id, caption, name, removedAt, removedBy } = file
  return {
    key: `${id} removed`,
    kind: 'files',
    at: removedAt,
    icon: <IconTrash size={16} />,
    content: (
      <>
        <p className={classes.head}>
          <span>
            <strong>{removedBy || 'Unknown user'}</strong> removed {nounOf(file)}, <When at={removedAt} />
          </span>
        </p>
        <p className={classes.facts}>{caption || name}</p>
      </>
    ),
  }
}

type HistoryItemProps = {
  feature: FeatureDetail
  entry: HistoryEntry
  names: Readonly<Record<string, string>>
  did: string
  isLatest: boolean
  isUndone: boolean
  isUndo: boolean
  isRestoring: boolean
  onRestore(point: HistoryPoint): void
}

function HistoryItem({
  feature,
  entry,
  names,
  did,
  isLatest,
  isUndone,
  isUndo,
  isRestoring,
  onRestore,
}: HistoryItemProps) {
  const { changeId, actor, action, at, changes, others, isUndoable } = entry
  const undoing = useUndoChange(feature.mapId, isUndo ? 'Change redone' : 'Change undone')
  const verb = isUndo ? 'Redo' : 'Undo'
  // Removing an added record is in the menu of its details.
  const canUndo = others > 0 ? !isUndone : isLatest && isUndoable && action === 'changed'
  return (
    <>
      <p className={classes.head}>
        <span>
          <strong>{actor ?? 'An import'}</strong> {did}, <When at={at} />
          {isUndone && ' (undone)'}
        </span>
        {!isLatest && action !== 'removed' && (
          <Restore isRestoring={isRestoring} onRestore={() => onRestore({ changeId, isBefore: false })} />
        )}
      </p>
      {canUndo && (
        <SmallButton size="compact-xs" loading={undoing.isPending} onClick={() => undoing.mutate(changeId)}>
          {others > 0 ? `Undo in all ${formatNumber(others + 1)} records` : verb}
        </SmallButton>
      )}
      {hasFieldChanges(entry) && (
        <FieldChanges mapId={feature.mapId} kind={feature.kind} changes={changes} names={names} />
      )}
    </>
  )
}

const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactTime(at)}>
    {relativeTime(at)}
  </time>
)

type RestoreProps = { isRestoring: boolean; onRestore(): void }

const Restore = ({ isRestoring, onRestore }: RestoreProps) => (
  <SmallButton size="compact-xs" disabled={isRestoring} onClick={onRestore}>
    Restore this version
  </SmallButton>
)

/** Undone, unless that was undone too. */
const isUndone = (entries: readonly HistoryEntry[], { changeId }: HistoryEntry): boolean =>
  entries.some((entry) => entry.undoes === changeId && !isUndone(entries, entry))

/** An undo of an undo is a change again. */
function isUndo(entries: readonly HistoryEntry[], { undoes }: HistoryEntry): boolean {
  if (undoes === null) return false
  const undone = entries.find(({ changeId }) => changeId === undoes)
  return undone === undefined || !isUndo(entries, undone)
}

const shapesIn = ({ changes }: HistoryEntry) =>
  changes.flatMap(({ field, before, after }) =>
    field === 'geometry' ? [{ before, after } as Record<'before' | 'after', GeometrySummary | null>] : [],
  )

/** Whether these changes, the newest first, changed the shape in total. Points have no borders. */
function changesBorders(entries: readonly HistoryEntry[]): boolean {
  const shapes = entries.flatMap(shapesIn)
  const [from, to] = [shapes.at(-1)?.before, shapes[0]?.after]
  return from?.digest !== to?.digest && !(from?.place && to?.place)
}

/** Additions and removals list all fields, which are not shown. */
const hasFieldChanges = ({ action, changes }: HistoryEntry) =>
  action === 'changed' || (action === 'imported' && changes.some(({ before }) => before !== null))

function doing(entry: HistoryEntry, land: string | null): string {
  const { action, source, undoes, changes } = entry
  if (land !== null && undoes === null) return land
  switch (action) {
    case 'added':
      return 'added it'
    case 'removed':
      return 'removed it'
    case 'put-back':
      return 'restored it'
    case 'imported':
      return `${hasFieldChanges(entry) ? 'updated' : 'added'} it from ${source || 'a file'}`
    case 'changed':
      if (undoes !== null) return 'undid a change'
      return changes.every(({ field }) => field === 'geometry' || field === 'area')
        ? 'changed its shape'
        : 'changed it'
  }
}
