import type { DateOrder } from '#domain/imports/import-layout.schema.ts'
import { instantOfLocalTime, offsetAt } from '#domain/values/time-zones.ts'

// Dates as files write them: '2015-01-02T15:45:56-05:00', '01/02/2015 03:45:56 PM', '31.12.20', '31-Dec-2020', 'Dec 31,
// 2020', 20150102, 20150102154556, day numbers of Excel, seconds or milliseconds since 1970. A value with two possible
// readings is not read until its column proves one.

export type DateStyle = {
  orders?: Readonly<Partial<Record<DateSeparator, DateOrder>>>
  /** Numbers such as 44196 are day numbers of Excel. */
  hasExcelDays?: boolean
  /** Numbers of 8 or 12 digits are seconds or milliseconds, since some of them are no calendar days. */
  hasNoCompactDates?: boolean
}

const dateSeparators = ['/', '.', '-'] as const
export type DateSeparator = (typeof dateSeparators)[number]

const dayMs = 86_400_000
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

const iso = String.raw`(?<isoYear>\d{4})(?<isoMark>[-/.])(?<isoMonth>\d{1,2})\k<isoMark>(?<isoDay>\d{1,2})`
const numeric = String.raw`(?<first>\d{1,2})(?<separator>[-/.])(?<second>\d{1,2})\k<separator>(?<year>\d{4}|\d{2})`
const monthName = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
const dayNamed = String.raw`(?<namedDay>\d{1,2})(?:st|nd|rd|th)?[-/. ]+(?<namedMonth>${monthName})\.?[-/., ]+(?<namedYear>\d{4}|\d{2})`
const monthNamed = String.raw`(?<monthFirst>${monthName})\.?[-/. ]+(?<dayAfter>\d{1,2})(?:st|nd|rd|th)?[-/., ]+(?<yearAfter>\d{4}|\d{2})`
const weekday = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[., ]+)?'
const timePart = String.raw`(?:[T ,]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<seconds>\d{2})(?<fraction>[.,]\d+)?)?(?: *(?<half>[ap])\.?m\.?)?)`
/** Hours behind UTC. */
const zoneHours = new Map([
  ...Object.entries({ EST: 5, EDT: 4, CST: 6, CDT: 5, MST: 7, MDT: 6, PST: 8, PDT: 7 }),
  ...Object.entries({ AKST: 9, AKDT: 8, HST: 10 }),
])
const offsetPart = String.raw`(?: *(?<offset>Z|${[...zoneHours.keys()].join('|')}|(?:UTC|GMT)?[+-]\d{2}(?::?\d{2})?|UTC|GMT)(?: *\([^()]*\))?)`
const datePattern = new RegExp(
  `^${weekday}(?:${iso}|${numeric}|${dayNamed}|${monthNamed})(?:${timePart}${offsetPart}?)?$`,
  'i',
)
/** ISO 8601 without separators: '20201231T140500Z', '20201231 14:05'. */
const basic = /^(\d{4})(\d{2})(\d{2})[T ](\d{2}):?(\d{2}):?(\d{2})?(.*)$/i
/** 'Thu Dec 31 10:00:00 EST 2020', as Java and Unix print a date. */
const yearLast = /^([a-z]{3} [a-z]{3} +\d{1,2}) (\d{1,2}:\d{2}:\d{2}(?: [A-Z]+)?) (\d{4})$/i

/** `localMs` is the local time as if it were UTC. */
type LocalDate = { localMs: number; offsetMs: number | null }

/** Epoch milliseconds. Without an offset the date is local to the time zone. */
export function readInstant(value: unknown, timeZone: string, style: DateStyle = {}): number | undefined {
  const epoch = readEpoch(value, style)
  if (epoch !== undefined) return epoch
  const local = readLocal(value, style)
  if (!local) return undefined
  const { localMs, offsetMs } = local
  const instant = offsetMs === null ? instantOfLocalTime(localMs, timeZone) : localMs - offsetMs
  return isUsable(instant) ? instant : undefined
}

/**
 * YYYY-MM-DD, as written. The day of seconds and milliseconds is that of the time zone, except for midnight UTC, which
 * many systems store for a day.
 */
export function readDay(value: unknown, timeZone: string, style: DateStyle = {}): string | undefined {
  const epoch = readEpoch(value, style)
  const localMs =
    epoch === undefined
      ? readLocal(value, style)?.localMs
      : epoch + (epoch % dayMs === 0 ? 0 : offsetAt(epoch, timeZone))
  return localMs !== undefined && isUsable(localMs) ? new Date(localMs).toISOString().slice(0, 10) : undefined
}

/** '01/02/2021' proves no order of day and month, '31/02/2021' is day first. */
export type NumericDate = { separator: DateSeparator; proves: DateOrder | null }

/** Undefined for values that are not dates, are the same in both orders, name their month, or begin with their year. */
export function numericDateOf(value: unknown): NumericDate | undefined {
  if (typeof value !== 'string') return undefined
  const groups = datePattern.exec(value.trim())?.groups
  if (!groups?.separator) return undefined
  const [dayFirst, monthFirst] = [readNumeric(groups, 'day-first'), readNumeric(groups, 'month-first')]
  if (dayFirst === monthFirst) return undefined
  const proves = monthFirst === undefined ? 'day-first' : dayFirst === undefined ? 'month-first' : null
  return { separator: groups.separator as DateSeparator, proves }
}

export function isUnclearDate(value: unknown, { orders }: DateStyle = {}): boolean {
  const found = numericDateOf(value)
  return found?.proves === null && orders?.[found.separator] === undefined
}

const partialDates = [
  /^(1[89]|2[01])\d\d(0[1-9]|1[0-2])?$/,
  /^\d{4}[-/.]\d{1,2}$/,
  /^\d{1,2}[-/.]\d{4}$/,
  new RegExp(`^${monthName}[-/., ]+\\d{4}$`, 'i'),
  new RegExp(`^\\d{4}[-/., ]+${monthName}\\.?$`, 'i'),
  /^Q[1-4][-/ ]*\d{4}$|^\d{4}[-/ ]*Q[1-4]$/i,
]

export const isPartialDate = (value: unknown): boolean =>
  partialDates.some((pattern) => pattern.test(String(value).trim()))

export const inOrder = (order: DateOrder): DateStyle => ({
  orders: Object.fromEntries(dateSeparators.map((separator) => [separator, order])),
})

const [firstYear, lastYear] = [1800, 2200]

/** Dates that spreadsheets and databases write for an empty cell: day 0 or 1 of their calendars. */
const emptyDays = ['1899-12-30', '1899-12-31', '1900-01-01', '1970-01-01']

export const isEmptyDay = (date: string): boolean => emptyDays.includes(date.slice(0, 10))

/** Outside the years that offices have records of. Such dates are read, and reported. */
export const isOddYear = (date: string): boolean => {
  const year = Number(date.slice(0, 4))
  return year < firstYear || year > lastYear
}

/** From the year 1000 to 9999. */
const isUsable = (instantMs: number) => instantMs >= -30_610_224_000_000 && instantMs < 253_402_300_800_000

const plainText = (value: unknown) =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''

const wholeDigits = (value: unknown) => /^(-?\d{1,16})(?:\.0+)?$/.exec(plainText(value))?.[1]

/** 1900 to 2100 in seconds. */
const [earliestSeconds, latestSeconds] = [-2_208_988_800, 4_102_444_800]
const [earliestMs, latestMs] = [Date.UTC(firstYear, 0), Date.UTC(lastYear + 1, 0) - 1]
/** Smaller numbers are counts, years, months (202012) or days. */
const [minSeconds, minMs] = [100_000_000, 10_000_000_000]

function readEpoch(value: unknown, style: DateStyle): number | undefined {
  const digits = wholeDigits(value)
  if (digits === undefined || readCompact(digits, style)) return undefined
  const number = Number(digits)
  if (number === 0) return 0
  const size = Math.abs(number)
  if (size >= minSeconds && number >= earliestSeconds && number <= latestSeconds) return number * 1000
  return size >= minMs && number >= earliestMs && number <= latestMs ? number : undefined
}

/** 20150102, 201501021545 and 20150102154556, from 1800 to 2200. */
function readCompact(digits: string, { hasNoCompactDates }: DateStyle): LocalDate | undefined {
  const { length } = digits
  if (length !== 14 && (hasNoCompactDates || (length !== 8 && length !== 12))) return undefined
  const part = (start: number, length = 2) => Number(digits.slice(start, start + length) || 0)
  const year = part(0, 4)
  const midnight = calendarDay(year, part(4), part(6))
  if (midnight === undefined || year < firstYear || year > lastYear) return undefined
  return atTime(midnight, part(8), part(10), part(12))
}

export function compactDateOf(value: unknown): boolean | undefined {
  const digits = wholeDigits(value)
  if (digits?.length !== 8 && digits?.length !== 12) return undefined
  return readCompact(digits, {}) !== undefined
}

/** 1940 to 2100 in day numbers of Excel: from 1899-12-30, as its year 1900 has a February 29. */
const [firstExcelDay, lastExcelDay] = [14_611, 73_415]
const excelEpochMs = Date.UTC(1899, 11, 30)

export function excelDayOf(value: unknown): boolean | undefined {
  const number = smallNumber(value)
  return number === undefined ? undefined : number >= firstExcelDay && number < lastExcelDay + 1
}

function smallNumber(value: unknown): number | undefined {
  const text = plainText(value)
  return /^-?\d{1,7}([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined
}

function readLocal(value: unknown, style: DateStyle): LocalDate | undefined {
  const compact = readCompact(wholeDigits(value) ?? '', style)
  if (compact) return compact
  if (style.hasExcelDays && excelDayOf(value)) {
    const seconds = Math.round((smallNumber(value) as number) * 86_400)
    return { localMs: excelEpochMs + seconds * 1000, offsetMs: null }
  }
  return typeof value === 'string' ? readText(value.trim(), style) : undefined
}

type Groups = Readonly<Record<string, string | undefined>>

function readText(value: string, { orders = {} }: DateStyle): LocalDate | undefined {
  const extended = value.replace(
    basic,
    (_, year, month, day, hour, minute, second = '00', rest) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${rest}`,
  )
  const groups: Groups | undefined = datePattern.exec(extended.replace(yearLast, '$1 $3 $2'))?.groups
  if (!groups) return undefined
  const midnight = midnightOf(groups, orders)
  const hour = hourOf(Number(groups.hour ?? 0), groups.half)
  if (midnight === undefined || hour === undefined) return undefined
  const local = atTime(midnight, hour, Number(groups.minute ?? 0), Number(groups.seconds ?? 0))
  if (!local) return undefined
  const fraction = Number(`0${(groups.fraction ?? '').replace(',', '.')}`)
  return {
    localMs: local.localMs + Math.floor(Number((fraction * 1000).toFixed(6))),
    offsetMs: offsetOf(groups.offset),
  }
}

function midnightOf(groups: Groups, orders: NonNullable<DateStyle['orders']>): number | undefined {
  const { isoYear, isoMonth, isoDay } = groups
  if (isoYear) return calendarDay(Number(isoYear), Number(isoMonth), Number(isoDay))
  const month = groups.namedMonth ?? groups.monthFirst
  if (month)
    return calendarDay(
      fullYear(groups.namedYear ?? groups.yearAfter),
      monthNames.indexOf(month.slice(0, 3).toLowerCase()) + 1,
      Number(groups.namedDay ?? groups.dayAfter),
    )
  const order = orders[groups.separator as DateSeparator]
  if (order) return readNumeric(groups, order)
  const [dayFirst, monthFirst] = [readNumeric(groups, 'day-first'), readNumeric(groups, 'month-first')]
  if (dayFirst === undefined || monthFirst === undefined) return dayFirst ?? monthFirst
  return dayFirst === monthFirst ? dayFirst : undefined
}

function readNumeric({ first, second, year }: Groups, order: DateOrder): number | undefined {
  const [day, month] = order === 'day-first' ? [first, second] : [second, first]
  return calendarDay(fullYear(year), Number(month), Number(day))
}

/** Two digits are 1950 to 2049, as in Excel. */
function fullYear(year = ''): number {
  const number = Number(year)
  return year.length > 2 ? number : number + (number < 50 ? 2000 : 1900)
}

const atTime = (midnight: number, hour: number, minute: number, second: number): LocalDate | undefined =>
  hour > 23 || minute > 59 || second > 59
    ? undefined
    : { localMs: midnight + ((hour * 60 + minute) * 60 + second) * 1000, offsetMs: null }

function calendarDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isValid = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000
  return isValid ? date.getTime() : undefined
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (!half) return hour < 24 ? hour : undefined
  if (hour < 1) return undefined
  const isAfternoon = half.toLowerCase() === 'p'
  // Some files write 24-hour times with PM: '01/15/2015 13:45:21 PM'.
  if (hour > 12) return hour < 24 && isAfternoon ? hour : undefined
  return (hour % 12) + (isAfternoon ? 12 : 0)
}

function offsetOf(offset: string | undefined): number | null {
  if (!offset) return null
  if (/^(z|utc|gmt)$/i.test(offset)) return 0
  const hours = zoneHours.get(offset.toUpperCase())
  if (hours !== undefined) return -hours * 3_600_000
  const signed = offset.replace(/^(utc|gmt)/i, '')
  const minutes = Number(signed.slice(1, 3)) * 60 + Number(signed.slice(3).replace(':', '') || 0)
  return (signed.startsWith('-') ? -minutes : minutes) * 60_000
}
