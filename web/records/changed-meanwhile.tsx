import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { featureHistoryQuery } from '#web/api/features.api.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { type Draft, labelAt } from './record-draft.ts'
import classes from './record-form.module.css'

// What somebody else did to the record while it was edited.

type AskedFieldProps = {
  path: string
  label: string
  base: FeatureDetail
  /** What they made of it. */
  theirs: ReactNode
  onSettle(whose: 'mine' | 'theirs'): void
}

/** Both changed the same, each in another way. */
export function AskedField({ path, label, base, theirs, onSettle }: AskedFieldProps) {
  return (
    <fieldset className={classes.asked} aria-label={`${label}: mine or theirs?`} data-asked>
      <p>
        <WhoAndWhen base={base} path={path} /> changed this, too, to: <b>{theirs ?? 'nothing'}</b>
      </p>
      <div className={classes.answers}>
        <Button size="compact-sm" variant="default" onClick={() => onSettle('mine')}>
          Keep mine
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onSettle('theirs')}>
          Take theirs
        </Button>
      </div>
    </fieldset>
  )
}

/** What nobody has to choose about: it is in the form already. */
export function ToldFields(props: { draft: Draft; told: readonly string[]; onSeen(): void }) {
  const { draft, told, onSeen } = props
  const { base } = draft
  const labels = told.map((path) => labelAt(draft, path))
  return (
    <div className={classes.told} role="status">
      <p>
        <WhoAndWhen base={base} path={told[0] as string} /> changed {labels.join(', ')}. It is in the form,
        and your changes are, too.
      </p>
      <Button size="compact-sm" variant="default" onClick={onSeen}>
        OK
      </Button>
    </div>
  )
}

/** 'Grace Whitfield (2 min. ago)': of the latest change of the field. */
function WhoAndWhen({ base, path }: { base: FeatureDetail; path: string }) {
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
