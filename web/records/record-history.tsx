import { Button, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { type Fields, singleFields, valueAt } from '#domain/definition/definition.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FieldChange, GeometrySummary, HistoryEntry } from '#domain/features/history.schema.ts'
import { fieldsOf } from '#domain/features/own-fields.ts'
import { featureHistoryQuery, type Moment } from '#web/api/features.api.ts'
import { useOwnFields } from '#web/api/own-fields.api.ts'
import { showValue } from '#web/features/feature-facts.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatLand, formatNumber, formatPlace, inBothUnits } from '#web/ui/measures.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { type SaidEntry, sayEntry } from './maintenance/say-entry.ts'
import classes from './record-history.module.css'

type RecordHistoryProps = {
  feature: FeatureDetail
  isRestoring: boolean
  onRestore(moment: Moment): void
}

/** Who changed what of a feature, newest first; each version can be restored. Asked for when it is opened. */
export function RecordHistory(props: RecordHistoryProps) {
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  return (
    <section className={classes.history} aria-label="History">
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconChevronRight size={16} aria-hidden="true" data-open={isOpen || undefined} />
        History
      </UnstyledButton>
      <div id={listId}>{isOpen && <Entries {...props} />}</div>
    </section>
  )
}

function Entries({ feature, isRestoring, onRestore }: RecordHistoryProps) {
  const history = useQuery(featureHistoryQuery(feature.mapId, feature.id))
  if (history.isError && !history.data)
    return (
      <ErrorState
        title="The history could not be loaded."
        error={history.error}
        onRetry={() => history.refetch()}
      />
    )
  if (!history.data) return <p className={classes.none}>Loading…</p>
  const { items: entries, names } = history.data
  if (entries.length === 0) return <p className={classes.none}>Nobody has changed it since it came here.</p>
  const restore = (label: string, moment: Moment) => (
    <Button variant="default" size="compact-xs" disabled={isRestoring} onClick={() => onRestore(moment)}>
      {label}
    </Button>
  )
  const oldest = entries.at(-1)
  return (
    <ol className={classes.list}>
      {entries.map((entry, index) => (
        <li key={entry.changeId}>
          <p className={classes.head}>
            <span>
              <strong>{entry.actor ?? 'An import'}</strong> {doing(entry)},{' '}
              <time dateTime={entry.at} title={exactTime(entry.at)}>
                {relativeTime(entry.at)}
              </time>
            </span>
            {index > 0 &&
              entry.action !== 'removed' &&
              restore('Restore', { changeId: entry.changeId, isBefore: false })}
          </p>
          {isTold(entry) && <Changes feature={feature} changes={entry.changes} names={names} />}
        </li>
      ))}
      {oldest && isTold(oldest) && (
        <li>
          <p className={classes.head}>
            <span>As it was before</span>
            {restore('Restore', { changeId: oldest.changeId, isBefore: true })}
          </p>
        </li>
      )}
    </ol>
  )
}

/** Of what came or went, the fields are those of the whole feature. */
const isTold = ({ action, changes }: HistoryEntry) =>
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
  /** By the ids of the features. */
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
            <del>{from ?? '–'}</del>
            <span aria-hidden="true"> → </span>
            <ins>{to ?? '–'}</ins>
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
