import { useQuery } from '@tanstack/react-query'
import { formatList } from '#domain/values/wording.ts'
import { featureHistoryQuery } from '#web/api/features.api.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { type Draft, labelAt, type RecordBase } from './record-draft.ts'
import classes from './record-form.module.css'

export function UpdatedFields({ draft, onSeen }: { draft: Draft; onSeen(): void }) {
  const { base, updated } = draft
  const labels = updated.map((path) => labelAt(draft, path))
  return (
    <div className={classes.updated} role="status">
      <p>
        <WhoAndWhen base={base} path={updated[0] ?? ''} /> changed {formatList(labels)}. The form shows these
        changes and yours.
      </p>
      <SmallButton size="compact-sm" onClick={onSeen}>
        OK
      </SmallButton>
    </div>
  )
}

export function WhoAndWhen({ base, path }: { base: RecordBase; path: string }) {
  const { data } = useQuery(featureHistoryQuery(base.mapId, base.id))
  const [key] = path.split('.', 1)
  const entry = data?.items.find(({ changes }) => changes.some(({ field }) => field === key))
  if (!entry) return 'Someone else'
  return (
    <>
      {entry.actor ?? 'An import'} (
      <time dateTime={entry.at} title={exactTime(entry.at)}>
        {relativeTime(entry.at)}
      </time>
      )
    </>
  )
}
