const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** '2 days ago', in the reader's language. */
export function relativeTime(instant: string, now: Date = new Date()): string {
  const elapsed = Date.parse(instant) - now.getTime()
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
  const [unit, length] = units.find(([, length]) => Math.abs(elapsed) >= length) ?? ['minute', 60_000]
  return format.format(Math.round(elapsed / length), unit)
}

/** Date and time in the reader's language and zone. */
export function exactTime(instant: string): string {
  return new Date(instant).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** The time of day, in the reader's language and zone; with its day where that is not today. */
export function clockTime(instant: number, now: Date = new Date()): string {
  const at = new Date(instant)
  const isToday = at.toDateString() === now.toDateString()
  return at.toLocaleString(undefined, { timeStyle: 'short', ...(isToday ? {} : { dateStyle: 'medium' }) })
}

/** The day of an instant, in the reader's language and zone. */
export function localDay(instant: string): string {
  return new Date(instant).toLocaleDateString(undefined, { dateStyle: 'medium' })
}

/** A calendar day (YYYY-MM-DD), which is the same day everywhere. */
export function calendarDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
}
