import type { ReactNode } from 'react'
import { type Fields, singleFields, valueAt } from '#domain/definition/definition.ts'
import { fieldsOf } from '#domain/features/custom-fields.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FieldChange, GeometrySummary } from '#domain/features/history.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { showValue } from '#web/features/feature-facts.tsx'
import { formatLand, formatPlace, inBothUnits } from '#web/ui/measures.ts'
import classes from './field-changes.module.css'
import { type EntryContent, entryText } from './maintenance/entry-text.ts'

type FieldChangesProps = {
  mapId: string
  kind: FeatureDetail['kind']
  changes: readonly FieldChange[]
  names: Readonly<Record<string, string>>
  /** There was nothing before. */
  areNew?: boolean
}

export function FieldChanges({ mapId, kind, changes, names, areNew = false }: FieldChangesProps) {
  const fields: Fields = fieldsOf(kind, useCustomFields(mapId))
  const rows = changes.flatMap(
    ({ field, before, after }): [key: string, label: string, ReactNode, ReactNode][] => {
      if (field === 'geometry') {
        const [from, to] = [before, after] as (GeometrySummary | null)[]
        return [[field, to?.place ? 'Location' : 'Shape', sizeOf(from ?? null), sizeOf(to ?? null)]]
      }
      if (field.startsWith('maintenance.')) {
        const [from, to] = ([before, after] as (EntryContent | null)[]).map(
          (entry) => entry && entryText(entry),
        )
        return [[field, 'Maintenance', from, to]]
      }
      const definition = fields[field]
      if (!definition)
        return [[field, field === 'metadata' ? 'Metadata' : field, 'previous values', 'new values']]
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
            {!areNew && (
              <>
                <del>{from || '–'}</del>
                <span aria-hidden="true"> → </span>
              </>
            )}
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
