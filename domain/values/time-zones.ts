// Local times of an IANA time zone, by the rules of the runtime.

type Offsets = { format: Intl.DateTimeFormat; cache: Map<number, number> }
const zones = new Map<string, Offsets>()

/** Offsets change at quarters of an hour. */
const quarterMs = 900_000
const dayMs = 86_400_000
const maxCached = 100_000

export function isTimeZone(name: string): boolean {
  // Excludes offsets such as +05:00, which have no rules.
  if (!/^[a-z]/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export function offsetAt(instantMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const { format, cache } = offsetsOf(timeZone)
  const quarter = Math.floor(instantMs / quarterMs) * quarterMs
  const cached = cache.get(quarter)
  if (cached !== undefined) return cached
  const parts = format.formatToParts(quarter).map(({ type, value }) => [type, Number(value)])
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = Object.fromEntries(parts)
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter
  if (cache.size > maxCached) cache.clear()
  cache.set(quarter, offset)
  return offset
}

/**
 * The instant at which the zone's clocks show a local time (given as if it were UTC): the first of two if clocks go
 * back; if clocks skip it, the time later by the skipped amount.
 */
export function instantOfLocalTime(localMs: number, timeZone: string): number {
  const before = offsetAt(localMs - dayMs, timeZone)
  const after = offsetAt(localMs + dayMs, timeZone)
  const early = localMs - before
  if (before === after || offsetAt(early, timeZone) === before) return early
  const late = localMs - after
  return offsetAt(late, timeZone) === after ? late : early
}

/** The calendar day (YYYY-MM-DD) that a zone's clocks show. */
export const localDay = (instantMs: number, timeZone: string): string =>
  localTime(instantMs, timeZone).slice(0, 10)

/** The first instant of a calendar day (YYYY-MM-DD). If clocks skip midnight, the day begins at one o'clock. */
export const startOfDay = (day: string, timeZone: string): number =>
  instantOfLocalTime(Date.parse(`${day}T00:00:00Z`), timeZone)

/** Local date and time as 'YYYY-MM-DD HH:mm'. */
export function localTime(instantMs: number, timeZone: string): string {
  return new Date(instantMs + offsetAt(instantMs, timeZone)).toISOString().slice(0, 16).replace('T', ' ')
}

function offsetsOf(timeZone: string): Offsets {
  const existing = zones.get(timeZone)
  if (existing) return existing
  const format = new Intl.DateTimeFormat('en-US-u-hc-h23', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const offsets = { format, cache: new Map<number, number>() }
  zones.set(timeZone, offsets)
  return offsets
}
