import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Field, type Fields, singleFields, valueAt } from '#domain/definition/definition.ts'
import type { FeatureStatus } from '#domain/definition/kinds.ts'
import { fieldsOf } from '#domain/features/custom-fields.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { Severity } from '#domain/incidents/incident-types.ts'
import { isWebAddress, nameInWords } from '#domain/values/text.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { Fact, FactList, Prose } from '#web/ui/facts.tsx'
import { formatDollars, formatLand, formatPlace, inBothUnits } from '#web/ui/measures.ts'
import { calendarDay, exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { TimeZoneNote } from '#web/ui/time-zone-note.tsx'
import { SeverityBadge, StatusBadge } from './badges.tsx'
import { MetadataFacts, useStaffMark } from './metadata.tsx'

const staffOnlyPrefix = 'maintenancePlan.'

type FeatureFactsProps = { feature: FeatureDetail; onSelect(id: string): void }

export function FeatureFacts({ feature, onSelect }: FeatureFactsProps) {
  const fields: Fields = fieldsOf(feature.kind, useCustomFields(feature.mapId))
  const values: Values = feature
  const markOf = useStaffMark(feature.mapId)
  const isStaff = useMay('staff', feature.mapId)
  // The header shows the name; the description comes first.
  const others = singleFields(fields).filter(
    ([path, { column, shownIf, isShownIfKnown }]) =>
      column !== 'name' &&
      column !== 'description' &&
      !path.startsWith(staffOnlyPrefix) &&
      (shownIf === undefined || values[shownIf] === true) &&
      !(isShownIfKnown && valueAt(values, path) === null),
  )
  return (
    <>
      <Prose>{feature.description}</Prose>
      <FactList>
        {others.map(([path, field]) => (
          <Fact key={path} label={field.label} mark={markOf(fields, path)}>
            {showValue(field, valueAt(values, path), {
              name: feature.referenceNames[path] ?? null,
              onSelect,
            })}
          </Fact>
        ))}
        {'boundaries' in feature && (
          <Fact label="Boundary">{counted(Math.max(0, feature.boundaries.length - 1), 'corner')}</Fact>
        )}
        {isStaff && (
          <>
            <Fact label={'boundaries' in feature ? 'Center' : 'Location'}>
              {formatPlace(feature.location)}
            </Fact>
            {!isGenerated.test(feature.id) && (
              <Fact label="ID" isOnScreenOnly>
                {feature.id}
              </Fact>
            )}
          </>
        )}
        {Object.entries(fields).map(([key, field]) =>
          field.value.type === 'list' && !isStaff ? (
            <Fact key={key} label={field.label} isWide>
              {showEntries(values[key] as Values[], field.value.shown)}
            </Fact>
          ) : null,
        )}
        <MetadataFacts feature={feature} />
      </FactList>
      {others.some(([, { value }]) => value.type === 'instant') && <TimeZoneNote />}
    </>
  )
}

/** Generated ids mean nothing to people; the address of the record contains them. */
const isGenerated = /^([\da-f]{32}|[a-z]+-[\da-f]{16})$/

type Values = Readonly<Record<string, unknown>>

type Referred = { name: string | null; onSelect: ((id: string) => void) | null }

export function showValue(
  { value: type, column }: Field,
  value: unknown,
  { name, onSelect }: Referred,
): ReactNode {
  if (column === 'severity') return <SeverityBadge severity={value as Severity | null} />
  if (value === null) return null
  const text = String(value)
  switch (type.type) {
    case 'flag':
      if (type.words)
        return <StatusBadge status={(value ? type.words.yes : type.words.no) as FeatureStatus} />
      return value ? 'Yes' : 'No'
    case 'choice':
      return column === 'status' ? (
        <StatusBadge status={text as FeatureStatus} />
      ) : (
        (type.choices[text] ?? nameInWords(text))
      )
    case 'number':
    case 'count':
      return formatAmount(Number(value), type)
    case 'day':
      return <time dateTime={text}>{calendarDay(text)}</time>
    case 'instant':
      return (
        <time dateTime={text} title={exactTime(text)}>
          {exactTime(text)} ({relativeTime(text)})
        </time>
      )
    case 'link':
      // Only http(s) links; without a referrer, to keep the address of this page private.
      if (!isWebAddress(text)) return text
      return (
        <Anchor
          href={text}
          target="_blank"
          rel="noopener noreferrer"
          fz="inherit"
          style={{ overflowWrap: 'anywhere' }}
        >
          {text}
        </Anchor>
      )
    case 'reference':
      if (name === null) return <span title={text}>No longer on the map</span>
      if (onSelect === null) return name || 'Untitled'
      return (
        <Anchor component="button" type="button" fz="inherit" ta="start" onClick={() => onSelect(text)}>
          {name || 'Untitled'}
        </Anchor>
      )
    default:
      return text
  }
}

function formatAmount(amount: number, value: Field['value']): string {
  if (value.type !== 'number') return formatNumber(amount)
  if (value.unit === 'acres') return inBothUnits(formatLand, amount)
  return value.unit === 'dollars' ? formatDollars(amount) : formatNumber(amount, 3)
}

function showEntries(entries: readonly Values[], most: number): ReactNode {
  if (entries.length === 0) return null
  const shown = entries.slice(0, most)
  const more = entries.length - shown.length
  return (
    <ul>
      {shown.map(({ date, description }) => (
        <li key={`${date} ${description}`}>
          <time dateTime={String(date)}>{calendarDay(String(date))}</time>: {String(description)}
        </li>
      ))}
      {more > 0 && <li>… and {more} earlier</li>}
    </ul>
  )
}
