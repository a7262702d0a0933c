import { dayAfter } from '#domain/maintenance/due.ts'
import { localDay as dayOf } from '#domain/values/time-zones.ts'
import { capitalized } from '#domain/values/wording.ts'
import { formatAgo, formatDate } from './formatters.ts'
import { timeZone } from './time-zone.ts'

const dayMs = 86_400_000
const shortUnits: [Intl.RelativeTimeFormatUnit, number][] = [
  ['week', 7 * dayMs],
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** '2 days ago', in the user's language. Counts full units, as for an age: three years and nine months are three years. */
export function relativeTime(
  instant: string,
  now: Date = new Date(),
  style: Intl.RelativeTimeFormatStyle = 'long',
): string {
  const then = new Date(instant)
  const [count, unit] = passedInFull(then, now)
  if (count === 0) return 'just now'
  // 'Last year' could be 13 or 23 months ago.
  return formatAgo(then > now ? -count : count, unit, { numeric: 'always', style })
}

function passedInFull(then: Date, now: Date): [count: number, unit: Intl.RelativeTimeFormatUnit] {
  const [from, to] = then < now ? [then, now] : [now, then]
  const months = fullMonths(from, to)
  if (months >= 12) return [Math.floor(months / 12), 'year']
  if (months >= 1) return [months, 'month']
  const elapsed = to.getTime() - from.getTime()
  const [unit, length] = shortUnits.find(([, length]) => elapsed >= length) ?? ['minute', 60_000]
  return [Math.floor(elapsed / length), unit]
}

function fullMonths(from: Date, to: Date): number {
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  const startOfMonth = (date: Date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  const intoMonth = (date: Date) => date.getTime() - startOfMonth(date)
  return intoMonth(to) < intoMonth(from) ? months - 1 : months
}

export function exactTime(instant: string): string {
  return formatDate(new Date(instant), { dateStyle: 'medium', timeStyle: 'short', timeZone: timeZone() })
}

/** In the reader's time zone. */
export function clockTime(instant: number, now: Date = new Date()): string {
  const at = new Date(instant)
  const isToday = at.toDateString() === now.toDateString()
  return formatDate(at, { timeStyle: 'short', ...(isToday ? {} : { dateStyle: 'medium' }) })
}

export function localDay(instant: string): string {
  return formatDate(new Date(instant), { dateStyle: 'medium', timeZone: timeZone() })
}

/** 'Today', 'Yesterday' or the date. */
export function dayInWords(instant: string, now: Date = new Date()): string {
  const [day, today] = [Date.parse(instant), now.getTime()].map((at) => dayOf(at, timeZone())) as [
    string,
    string,
  ]
  const ago = [0, 1].find((days) => dayAfter(today, -days) === day)
  if (ago === undefined) return localDay(instant)
  return capitalized(formatAgo(ago, 'day', { numeric: 'auto' }))
}

/** A calendar date (YYYY-MM-DD) without a time zone. */
export function calendarDay(day: string): string {
  return formatDate(new Date(`${day}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' })
}
