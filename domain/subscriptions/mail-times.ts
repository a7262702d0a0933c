import { instantOfLocalTime, localDay } from '#domain/values/time-zones.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const monday = 1

/** The first instant after `now` when clocks show the hour, on any day or on Mondays. */
export function nextDigestAt(
  frequency: 'daily' | 'weekly',
  hour: number,
  { timeZone, now }: { timeZone: string; now: number },
): number {
  const today = Date.parse(`${localDay(now, timeZone)}T00:00:00Z`)
  for (let days = 0; ; days++) {
    const local = today + days * dayMs
    if (frequency === 'weekly' && new Date(local).getUTCDay() !== monday) continue
    const at = instantOfLocalTime(local + hour * hourMs, timeZone)
    if (at > now) return at
  }
}

export type QuietHours = {
  /** Hour of the day. Null: no quiet hours. */
  quietFrom: number | null
  quietUntil: number
}

/** When the quiet hours around `now` end, or `now` outside of them. */
export function afterQuietHours(
  { quietFrom, quietUntil }: QuietHours,
  { timeZone, now }: { timeZone: string; now: number },
): number {
  if (quietFrom === null || quietFrom === quietUntil) return now
  const end = nextDigestAt('daily', quietUntil, { timeZone, now })
  const lastEnd = Date.parse(`${localDay(end, timeZone)}T00:00:00Z`) + quietFrom * hourMs
  const start = instantOfLocalTime(quietFrom < quietUntil ? lastEnd : lastEnd - dayMs, timeZone)
  return now >= start ? end : now
}
