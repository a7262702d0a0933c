import { useQuery } from '@tanstack/react-query'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { type LandRecord, type LineageStep, recordName } from '#domain/features/land-change.schema.ts'
import { formatList } from '#domain/values/wording.ts'
import { lineageQuery } from '#web/api/features.api.ts'
import { calendarDay, exactTime } from '#web/ui/relative-time.ts'
import classes from './record-timeline.module.css'

/** The lots that a lot came from, and those it became. */
export function RecordLineage({ feature }: { feature: FeatureDetail }) {
  const { data } = useQuery({
    ...lineageQuery(feature.mapId, feature.id),
    enabled: feature.kind === 'parcel',
  })
  if (!data || data.cameFrom.length + data.became.length + data.records.length === 0) return null
  return (
    <section className={classes.lineage} aria-label="Lineage">
      {data.cameFrom.map((step) => (
        <Step key={step.changeId} step={step} verb="Created from" id={feature.id} />
      ))}
      {data.became.map((step) => (
        <Step key={step.changeId} step={step} verb="Became" id={feature.id} />
      ))}
      {data.records.map(({ changeId, record, at, actor }) => (
        <p key={changeId} title={`${actor}, ${exactTime(at)}`}>
          Changed{byRecord(record)}
        </p>
      ))}
    </section>
  )
}

function Step({ step, verb, id }: { step: LineageStep; verb: string; id: string }) {
  const { record, features, at, actor } = step
  // The record itself is one of those that it came from, or became.
  const others = features.filter((feature) => feature.id !== id)
  if (others.length === 0) return null
  const self = features.length > others.length ? ' and itself' : ''
  return (
    <p title={`${actor}, ${exactTime(at)}`}>
      {verb} {formatList(others.map(({ name }) => name || 'Untitled'))}
      {self}
      {byRecord(record)}
    </p>
  )
}

const byRecord = (record: LandRecord | null) =>
  record ? ` by ${recordName(record)}${record.date ? `, ${calendarDay(record.date)}` : ''}` : ''
