import { Button } from '@mantine/core'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { HistoryEntry } from '#domain/features/history.schema.ts'
import type { Moment } from '#web/api/features.api.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { FieldChanges } from './field-changes.tsx'
import classes from './record-timeline.module.css'

type HistoryItemProps = {
  feature: FeatureDetail
  entry: HistoryEntry
  /** Names of referenced features by id. */
  names: Readonly<Record<string, string>>
  isLatest: boolean
  isRestoring: boolean
  onRestore(moment: Moment): void
}

/** A change in the history of a feature, whose version can be restored. */
export function HistoryItem({ feature, entry, names, isLatest, isRestoring, onRestore }: HistoryItemProps) {
  const { changeId, actor, action, at, changes } = entry
  return (
    <>
      <p className={classes.head}>
        <span>
          <strong>{actor ?? 'An import'}</strong> {doing(entry)}, <When at={at} />
        </span>
        {!isLatest && action !== 'removed' && (
          <Restore isRestoring={isRestoring} onRestore={() => onRestore({ changeId, isBefore: false })} />
        )}
      </p>
      {hasFieldChanges(entry) && (
        <FieldChanges mapId={feature.mapId} kind={feature.kind} changes={changes} names={names} />
      )}
    </>
  )
}

export const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactTime(at)}>
    {relativeTime(at)}
  </time>
)

type RestoreProps = { isRestoring: boolean; onRestore(): void }

export const Restore = ({ isRestoring, onRestore }: RestoreProps) => (
  <Button variant="default" size="compact-xs" disabled={isRestoring} onClick={onRestore}>
    Restore
  </Button>
)

/** Additions and removals list all fields, which are not shown. */
export const hasFieldChanges = ({ action, changes }: HistoryEntry) =>
  action === 'changed' || (action === 'imported' && changes.some(({ before }) => before !== null))

function doing({ action, source, undoes }: HistoryEntry): string {
  switch (action) {
    case 'added':
      return 'added it'
    case 'removed':
      return 'removed it'
    case 'put-back':
      return 'put it back'
    case 'imported':
      return `from ${source || 'a file'}`
    case 'changed':
      return undoes === null ? 'changed it' : 'took a change back'
  }
}
