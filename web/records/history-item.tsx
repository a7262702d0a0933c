import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Fields, singleFields, valueAt } from '#domain/definition/definition.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FieldChange, GeometrySummary, HistoryEntry } from '#domain/features/history.schema.ts'
import { fieldsOf } from '#domain/features/own-fields.ts'
import type { Moment } from '#web/api/features.api.ts'
import { useOwnFields } from '#web/api/own-fields.api.ts'
import { showValue } from '#web/features/feature-facts.tsx'
import { formatLand, formatNumber, formatPlace, inBothUnits } from '#web/ui/measures.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { type SaidEntry, sayEntry } from './maintenance/say-entry.ts'
import classes from './record-timeline.module.css'

type HistoryItemProps = {
  feature: FeatureDetail
  entry: HistoryEntry
  /** By the ids of the features that the entry refers to. */
  names: Readonly<Record<string, string>>
  /** It is as it is now. */
  isLatest: boolean
  isRestoring: boolean
  onRestore(moment: Moment): void
}

/** What somebody changed of a feature; the version that it led to can be restored. */
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
      {isTold(entry) && <Changes feature={feature} changes={changes} names={names} />}
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

/** Of what came or went, the fields are those of the whole feature. */
export const isTold = ({ action, changes }: HistoryEntry) =>
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

type ChangesProps = {
  feature: FeatureDetail
  changes: readonly FieldChange[]
  names: Readonly<Record<string, string>>
}

function Changes({ feature, changes, names }: ChangesProps) {
  const fields: Fields = fieldsOf(feature.kind, useOwnFields(feature.mapId))
  const rows = changes.flatMap(
    ({ field, before, after }): [key: string, label: string, ReactNode, ReactNode][] => {
      if (field === 'geometry') {
        const [from, to] = [before, after] as (GeometrySummary | null)[]
        const label = feature.shape === 'point' ? 'Place' : 'Shape'
        return [[field, label, sizeOf(from ?? null), sizeOf(to ?? null)]]
      }
      if (field.startsWith('maintenance.')) {
        const [from, to] = ([before, after] as (SaidEntry | null)[]).map((entry) => entry && sayEntry(entry))
        return [[field, 'Maintenance', from, to]]
      }
      const definition = fields[field]
      if (!definition) return [[field, field === 'metadata' ? 'Further data' : field, 'as before', 'changed']]
      return singleFields({ [field]: definition }).flatMap(([path, single]) => {
        const [from, to] = [valueAt({ [field]: before }, path), valueAt({ [field]: after }, path)]
        if (from === to) return []
        const show = (value: unknown) =>
          showValue(single, value, { name: names[String(value)] ?? null, onSelect: null })
        return [[path, single.label, show(from), show(to)]]
      })
    },
  )
  return (
    <dl className={classes.changes}>
      {rows.map(([key, label, from, to]) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <del>{from || '–'}</del>
            <span aria-hidden="true"> → </span>
            <ins>{to || '–'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function sizeOf(geometry: GeometrySummary | null): string | null {
  if (geometry === null) return null
  const { positions, acres, place } = geometry
  if (place !== null) return formatPlace(place)
  if (acres !== null) return inBothUnits(formatLand, acres)
  return `${formatNumber(positions)} points`
}
