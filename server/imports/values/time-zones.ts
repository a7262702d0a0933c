// Local times of an IANA time zone, by the rules that the runtime knows.

type Offsets = { format: Intl.DateTimeFormat; known: Map<number, number> }
const zones = new Map<string, Offsets>()

/** Offsets change on the quarter of an hour at the finest. */
const quarterMs = 900_000

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Milliseconds by which the zone's clocks are ahead of UTC at an instant. */
export function offsetAt(instantMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const { format, known } = offsetsOf(timeZone)
  const quarter = Math.floor(instantMs / quarterMs) * quarterMs
  const remembered = known.get(quarter)
  if (remembered !== undefined) return remembered
  const parts = Object.fromEntries(
    format.formatToParts(quarter).map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter
  if (known.size > 100_000) known.clear()
  known.set(quarter, offset)
  return offset
}

/**
 * The instant at which the zone's clocks show a local time (given as if it were UTC). A time that comes twice
 * when clocks go back is the first of the two; one that is skipped is moved on by what was skipped.
 */
export function instantOfLocalTime(localMs: number, timeZone: string): number {
  const dayMs = 86_400_000
  const before = offsetAt(localMs - dayMs, timeZone)
  const after = offsetAt(localMs + dayMs, timeZone)
  const early = localMs - before
  if (before === after || offsetAt(early, timeZone) === before) return early
  const late = localMs - after
  return offsetAt(late, timeZone) === after ? late : early
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
  const offsets = { format, known: new Map<number, number>() }
  zones.set(timeZone, offsets)
  return offsets
}
