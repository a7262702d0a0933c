import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Field, valueAt } from '#domain/definition/definition.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { featureHistoryQuery } from '#web/api/features.api.ts'
import { showValue } from '#web/features/feature-facts.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { formFields } from './record-draft.ts'
import classes from './record-form.module.css'

// What somebody else did to the record while it was edited.

type AskedFieldProps = {
  path: string
  field: Field
  base: FeatureDetail
  onSettle(whose: 'mine' | 'theirs'): void
}

/** Both changed the same field, each in another way. */
export function AskedField({ path, field, base, onSettle }: AskedFieldProps) {
  const theirs = showValue(field, valueAt(base, path), {
    name: base.referenceNames[path] ?? null,
    onSelect: null,
  })
  return (
    <fieldset className={classes.asked} aria-label={`${field.label}: mine or theirs?`} data-asked>
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
export function ToldFields(props: { base: FeatureDetail; told: readonly string[]; onSeen(): void }) {
  const { base, told, onSeen } = props
  const labels = formFields(base).flatMap(({ path, field }) => (told.includes(path) ? [field.label] : []))
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
