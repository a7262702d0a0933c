import { useQuery } from '@tanstack/react-query'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import {
  type LandRecord,
  type Lineage,
  type LineageStep,
  recordName,
} from '#domain/features/land-change.schema.ts'
import { formatList, plural } from '#domain/values/wording.ts'
import { lineageQuery } from '#web/api/features.api.ts'
import { fileAddress } from '#web/api/files.api.ts'
import { calendarDay, exactTime } from '#web/ui/relative-time.ts'
import classes from './record-timeline.module.css'

/** The lots that a lot came from, and those it became. */
export function RecordLineage({ feature }: { feature: Pick<FeatureDetail, 'id' | 'mapId' | 'kind'> }) {
  const { data } = useQuery({
    ...lineageQuery(feature.mapId, feature.id),
    enabled: feature.kind === 'parcel',
  })
  if (!data) return null
  const steps = [
    ...data.cameFrom.map((step) => ({ step, words: sourceWords(step, feature.id) })),
    ...data.became.map((step) => ({ step, words: resultWords(step, feature.id) })),
    ...data.records.map((step) => ({ step, words: 'Changed' })),
  ].filter(({ words }) => words !== null)
  if (steps.length === 0) return null
  return (
    <section className={classes.lineage} aria-label="Lineage">
      {steps.map(({ step: { changeId, at, actor, record }, words }) => (
        <p key={`${changeId} ${words}`} title={`${actor}, ${exactTime(at)}`}>
          {words}
          {record && (
            <>
              {' by '}
              <RecordName mapId={feature.mapId} record={record} />
              {record.date && `, ${calendarDay(record.date)}`}
            </>
          )}
        </p>
      ))}
    </section>
  )
}

/** 'merged Lot 13 into it', or null if the change did not divide or merge it. */
export function landWords({ cameFrom, became }: Lineage, changeId: string, id: string): string | null {
  const othersIn = (steps: readonly LineageStep[]) =>
    steps.find((step) => step.changeId === changeId)?.features.filter((feature) => feature.id !== id) ?? []
  const [sources, results] = [othersIn(cameFrom), othersIn(became)]
  const remains = [...cameFrom, ...became].some(
    (step) => step.changeId === changeId && step.features.some((feature) => feature.id === id),
  )
  if (sources.length > 0)
    return remains ? `merged ${namesOf(sources)} into it` : `created it from ${namesOf(sources)}`
  return results.length > 0 ? `made ${namesOf(results)} from it` : null
}

function sourceWords({ features }: LineageStep, id: string): string | null {
  const others = features.filter((feature) => feature.id !== id)
  if (others.length === 0) return null
  // A lot that other lots were merged into is one of its own sources.
  return others.length < features.length
    ? `${namesOf(others)} ${plural(others.length, 'was', 'were')} merged into this parcel`
    : `Created from ${namesOf(others)}`
}

/** The lot still exists: the others have a part of it. */
function resultWords({ features }: LineageStep, id: string): string | null {
  const others = features.filter((feature) => feature.id !== id)
  return others.length > 0 ? `Part of this parcel became ${namesOf(others)}` : null
}

const namesOf = (features: LineageStep['features']) =>
  formatList(features.map(({ name }) => name || 'Untitled'))

function RecordName({ mapId, record }: { mapId: string; record: LandRecord }) {
  const name = recordName(record)
  if (record.fileId === null) return name
  return (
    <a href={fileAddress(mapId, record.fileId, 'original')} target="_blank" rel="noreferrer">
      {name}
    </a>
  )
}
