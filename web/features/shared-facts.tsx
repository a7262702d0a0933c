import { Anchor } from '@mantine/core'
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
