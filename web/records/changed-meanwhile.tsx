import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { featureHistoryQuery } from '#web/api/features.api.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import type { Side } from '#web/ui/unsaved/compare-edits.ts'
import { MineOrTheirs } from '#web/ui/unsaved/mine-or-theirs.tsx'
import { type Draft, labelAt, type RecordBase } from './record-draft.ts'
import classes from './record-form.module.css'

type ConflictFieldProps = {
  path: string
  label: string
  base: RecordBase
  theirs: ReactNode
  onSettle(side: Side): void
}

export function ConflictField({ path, label, base, theirs, onSettle }: ConflictFieldProps) {
  return (
    <fieldset className={classes.conflict} aria-label={`${label}: mine or theirs?`} data-conflict>
      <MineOrTheirs className={classes.answers} onSettle={onSettle}>
        <WhoAndWhen base={base} path={path} /> changed this, too, to: <b>{theirs ?? 'nothing'}</b>
      </MineOrTheirs>
    </fieldset>
  )
}

export function UpdatedFields({ draft, onSeen }: { draft: Draft; onSeen(): void }) {
  const { base, updated } = draft
  const labels = updated.map((path) => labelAt(draft, path))
  return (
    <div className={classes.updated} role="status">
      <p>
        <WhoAndWhen base={base} path={updated[0] ?? ''} /> changed {labels.join(', ')}. It is in the form, and
        your changes are, too.
      </p>
      <SmallButton size="compact-sm" onClick={onSeen}>
        OK
      </SmallButton>
    </div>
  )
}

function WhoAndWhen({ base, path }: { base: RecordBase; path: string }) {
  const { data } = useQuery(featureHistoryQuery(base.mapId, base.id))
  const [key] = path.split('.', 1)
  const entry = data?.items.find(({ changes }) => changes.some(({ field }) => field === key))
  if (!entry) return 'Somebody else'
  return (
    <>
      {entry.actor ?? 'A program'} (
      <time dateTime={entry.at} title={exactTime(entry.at)}>
        {relativeTime(entry.at)}
      </time>
      )
    </>
  )
}
