import { instantOfLocalTime, offsetAt } from './time-zones.ts'

// Dates as real files write them: '2015-01-02', '2015-01-02T15:45:56-05:00', '01/02/2015 03:45:56 PM' (month
// first), 20150102, seconds or milliseconds since 1970. Not understood is better than understood wrongly:
// day-first dates, two-digit years, bare years and dates that no calendar has are none.

const dayMs = 86_400_000

const datePart = String.raw`(?:(?<isoYear>\d{4})[-/](?<isoMonth>\d{1,2})[-/](?<isoDay>\d{1,2})|(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4}))`
const timePart = String.raw`(?:[T ,]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>[.,]\d+)?)?(?: *(?<half>[ap])\.?m\.?)?)`
const offsetPart = String.raw`(?: *(?<offset>Z|UTC|[+-]\d{2}(?::?\d{2})?))`
const pattern = new RegExp(`^${datePart}(?:${timePart}${offsetPart}?)?$`, 'i')

/** A written date: its local time as if it were UTC, and what its offset says (null: it says none). */
type Written = { localMs: number; offsetMs: number | null }

/** Epoch milliseconds of a date; one without offset is local to the time zone. Undefined: not understood. */
export function readInstant(value: unknown, timeZone: string): number | undefined {
  const epoch = readEpoch(value)
  if (epoch !== undefined) return isUsable(epoch) ? epoch : undefined
  const written = readWritten(value)
  if (!written) return undefined
  const instant =
    written.offsetMs === null
      ? instantOfLocalTime(written.localMs, timeZone)
      : written.localMs - written.offsetMs
  return isUsable(instant) ? instant : undefined
}

/**
 * A calendar day, YYYY-MM-DD: as written where it is written. A number is an instant, whose day is the time
 * zone's, except that midnight UTC is how many systems store a day.
 */
export function readDay(value: unknown, timeZone: string): string | undefined {
  const epoch = readEpoch(value)
  const localMs = epoch === undefined ? readWritten(value)?.localMs : localTimeOf(epoch, timeZone)
  return localMs !== undefined && isUsable(localMs) ? new Date(localMs).toISOString().slice(0, 10) : undefined
}

function localTimeOf(epoch: number, timeZone: string): number {
  return epoch % dayMs === 0 || !isUsable(epoch) ? epoch : epoch + offsetAt(epoch, timeZone)
}

/** Years that ISO 8601 writes with four digits, and that people mean. */
function isUsable(instantMs: number): boolean {
  return instantMs >= -30_610_224_000_000 && instantMs < 253_402_300_800_000
}

/** As seconds, these reach from 1900 to 2100: a number between them is seconds, one beyond milliseconds. */
const earliestSeconds = -2_208_988_800
const latestSeconds = 4_102_444_800

/** Smaller numbers (years, counts) are no dates. */
const leastSeconds = 100_000

function readEpoch(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  const number = typeof text === 'string' && /^-?\d{1,16}(\.0+)?$/.test(text) ? Number(text) : text
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  if (number !== 0 && Math.abs(number) < leastSeconds) return undefined
  const compact = readCompact(number)
  if (compact !== undefined) return compact
  const isSeconds = number >= earliestSeconds && number <= latestSeconds
  return Math.trunc(isSeconds ? number * 1000 : number)
}

/** 20150102: eight digits that are a day of 1800 to 2100 are that day, not an instant of 1970. */
function readCompact(number: number): number | undefined {
  const [year, month, day] = [Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100]
  return year >= 1800 && year <= 2100 ? calendarDay(year, month, day) : undefined
}

function calendarDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000
    ? date.getTime()
    : undefined
}

function readWritten(value: unknown): Written | undefined {
  if (typeof value !== 'string') return undefined
  const groups = pattern.exec(value.trim())?.groups
  if (!groups) return undefined
  const number = (...names: string[]) => Number(names.map((name) => groups[name]).find(Boolean) ?? 0)
  const midnight = calendarDay(
    number('isoYear', 'year'),
    number('isoMonth', 'month'),
    number('isoDay', 'day'),
  )
  const hour = hourOf(number('hour'), groups.half)
  const [minute, second] = [number('minute'), number('second')]
  if (midnight === undefined || hour === undefined || minute > 59 || second > 59) return undefined
  const fraction = Number(`0${(groups.fraction ?? '').replace(',', '.')}`)
  const localMs =
    midnight + ((hour * 60 + minute) * 60 + second) * 1000 + Math.floor(Number((fraction * 1000).toFixed(6)))
  return { localMs, offsetMs: offsetOf(groups.offset) }
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (!half) return hour < 24 ? hour : undefined
  if (hour < 1) return undefined
  // Some files write 24-hour times and still add PM: '01/15/2015 13:45:21 PM'.
  if (hour > 12) return hour < 24 && half.toLowerCase() === 'p' ? hour : undefined
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

function offsetOf(offset: string | undefined): number | null {
  if (!offset) return null
  if (/^(z|utc)$/i.test(offset)) return 0
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(':', '') || 0)
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}
