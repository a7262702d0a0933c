import { Anchor } from '@mantine/core'
import type { Metadata } from '#domain/features/common.schema.ts'
import { Fact } from '#web/ui/facts.tsx'
import { calendarDay, exactTime, relativeTime } from '#web/ui/relative-time.ts'

/** Relative, with the exact instant beside it and on hover. */
export function Instant({ value }: { value: string | null }) {
  if (value === null) return '–'
  return (
    <time dateTime={value} title={exactTime(value)}>
      {exactTime(value)} ({relativeTime(value)})
    </time>
  )
}

export function Day({ value }: { value: string | null }) {
  return value === null ? '–' : <time dateTime={value}>{calendarDay(value)}</time>
}

export function ParcelLink({ id, onSelect }: { id: string | null; onSelect(id: string): void }) {
  if (id === null) return '–'
  return (
    <Anchor component="button" type="button" fz="inherit" onClick={() => onSelect(id)}>
      {id}
    </Anchor>
  )
}

/** What the source file said beyond the fields we know. Values are text, whatever they look like. */
export function MetadataFacts({ metadata }: { metadata: Metadata }) {
  return metadata
    .filter(({ value }) => value !== null && value !== '')
    .map(({ name, value }) => (
      <Fact key={name} label={name}>
        {String(value)}
      </Fact>
    ))
}
