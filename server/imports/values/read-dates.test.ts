import { describe, expect, it } from 'vitest'
import {
  type DateStyle,
  inOrder,
  isPartialDate,
  isUnclearDate,
  numericDateOf,
  readDay,
  readInstant,
} from './read-dates.ts'

const newYork = 'America/New_York'
const monthFirst = inOrder('month-first')
const instantOf = (value: unknown, zone = 'UTC', style: DateStyle = monthFirst) => {
  const instant = readInstant(value, zone, style)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

describe('readInstant', () => {
  it.each([
    ['01/02/2015 03:45:56 PM', '2015-01-02T15:45:56.000Z'],
    ['1/2/2015 12:05 AM', '2015-01-02T00:05:00.000Z'],
    ['1/2/2015 12:05 p.m.', '2015-01-02T12:05:00.000Z'],
    ['01/15/2015 13:45:21 PM', '2015-01-15T13:45:21.000Z'],
    ['12/29/1980', '1980-12-29T00:00:00.000Z'],
    ['1980-12-29', '1980-12-29T00:00:00.000Z'],
    ['2015/01/02 15:45', '2015-01-02T15:45:00.000Z'],
    ['2015-01-02T15:45:56', '2015-01-02T15:45:56.000Z'],
    ['2015-01-02T15:45:56Z', '2015-01-02T15:45:56.000Z'],
    ['2015-01-02 15:45:56+00', '2015-01-02T15:45:56.000Z'],
    ['2015-01-02T15:45:56-05:00', '2015-01-02T20:45:56.000Z'],
    ['2015-01-02T15:45:56+0530', '2015-01-02T10:15:56.000Z'],
    ['2020-10-22T14:43:49.6182825-07:00', '2020-10-22T21:43:49.618Z'],
    [' 2015-01-02 15:45:56 UTC ', '2015-01-02T15:45:56.000Z'],
    [1_420_213_556_000, '2015-01-02T15:45:56.000Z'],
    ['1420213556000', '2015-01-02T15:45:56.000Z'],
    [1_420_213_556, '2015-01-02T15:45:56.000Z'],
    ['1420213556', '2015-01-02T15:45:56.000Z'],
    [-3_029_443_200_000, '1874-01-01T00:00:00.000Z'],
    // Milliseconds of the years around 1970, which would be seconds of the years 969 and 2969.
    [31_536_000_000, '1971-01-01T00:00:00.000Z'],
    [-31_536_000_000, '1969-01-01T00:00:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [20_150_102, '2015-01-02T00:00:00.000Z'],
    ['20150102', '2015-01-02T00:00:00.000Z'],
    ['20030319000000', '2003-03-19T00:00:00.000Z'],
    [20_110_916_122_545, '2011-09-16T12:25:45.000Z'],
    ['201109161225', '2011-09-16T12:25:00.000Z'],
    ['20201231T140500Z', '2020-12-31T14:05:00.000Z'],
    ['20201231 14:05', '2020-12-31T14:05:00.000Z'],
    ['2020-12-31 10:00:00 EST', '2020-12-31T15:00:00.000Z'],
    ['12/31/2020 10:00 am pdt', '2020-12-31T17:00:00.000Z'],
    ['Thu Dec 31 10:00:00 MST 2020', '2020-12-31T17:00:00.000Z'],
    ['Thu Dec 31 2020 10:00:00 GMT-0500 (Eastern Standard Time)', '2020-12-31T15:00:00.000Z'],
    ['31-Dec-2020', '2020-12-31T00:00:00.000Z'],
    ['31 December 2020 14:05', '2020-12-31T14:05:00.000Z'],
    ['Dec 31, 2020', '2020-12-31T00:00:00.000Z'],
    ['Thu, Sept. 3rd, 2020 2:05 pm', '2020-09-03T14:05:00.000Z'],
    ['12/31/20', '2020-12-31T00:00:00.000Z'],
    ['12/31/49 08:00', '2049-12-31T08:00:00.000Z'],
    ['12/31/50', '1950-12-31T00:00:00.000Z'],
    ['2020-12-31T14:05:00.000+0000', '2020-12-31T14:05:00.000Z'],
  ])('%j is %s', (value, instant) => {
    expect(instantOf(value)).toBe(instant)
  })

  it.each([
    'soon',
    '13/02/2015',
    '02/30/2015',
    '2015-02-29',
    '2015-13-01',
    // A month, and a count, which are too small for seconds.
    202012,
    12_345_678,
    // Day numbers of Excel, in a column that has others.
    44_196,
    // 14 digits that are no time, and milliseconds of the year 2604.
    '20031319000000',
    20_030_319_250_000,
    '2015',
    2015,
    '01/02/2015 25:00',
    '01/02/2015 10:60',
    '01/02/2015 13:00 AM',
    '2015-01-02T15:45:56 MEZ',
    '0001-01-01',
    -33_418_828_800_000,
    1e18,
    Number.NaN,
    true,
    {},
    '',
  ])('rejects %j', (value) => {
    expect(readInstant(value, 'UTC', monthFirst)).toBeUndefined()
    expect(readDay(value, 'UTC', monthFirst)).toBeUndefined()
  })

  it('reads dates without offset in the time zone', () => {
    expect(instantOf('01/02/2015 03:45:56 PM', newYork)).toBe('2015-01-02T20:45:56.000Z')
    expect(instantOf('2015-07-02', newYork)).toBe('2015-07-02T04:00:00.000Z')
    expect(instantOf('2015-01-02T15:45:56Z', newYork)).toBe('2015-01-02T15:45:56.000Z')
    expect(instantOf(1_420_213_556, newYork)).toBe('2015-01-02T15:45:56.000Z')
  })
})

describe('readDay', () => {
  it.each([
    ['12/29/1980', '1980-12-29'],
    ['2015-01-02T23:30:00-05:00', '2015-01-02'],
    ['01/02/2015 11:30:00 PM', '2015-01-02'],
    // Midnight UTC is a day; any other instant is a local day.
    [-3_029_443_200_000, '1874-01-01'],
    [1_420_164_000_000, '2015-01-01'],
  ])('%j in New York is %s', (value, day) => {
    expect(readDay(value, newYork, monthFirst)).toBe(day)
  })
})

describe('a date whose day and month are both numbers', () => {
  const days: [string, string, string | undefined][] = [
    ['01/02/2021', '2021-02-01', '2021-01-02'],
    ['31.12.2020', '2020-12-31', undefined],
    ['25-02-21 14:05', '2021-02-25', undefined],
  ]
  it.each(days)('%s is read in the order of its column', (value, dayFirst, monthFirstDay) => {
    expect(readDay(value, 'UTC', inOrder('day-first'))).toBe(dayFirst)
    expect(readDay(value, 'UTC', monthFirst)).toBe(monthFirstDay)
  })

  it('is not read if nothing proves the order', () => {
    expect(readDay('01/02/2021', 'UTC')).toBeUndefined()
    expect(isUnclearDate('01/02/2021')).toBe(true)
    expect(readDay('02/02/2021', 'UTC')).toBe('2021-02-02')
    expect(readDay('31/12/2020', 'UTC')).toBe('2020-12-31')
  })

  it('proves its order if only one reading is a day', () => {
    expect(numericDateOf('31/12/2020')).toEqual({ separator: '/', proves: 'day-first' })
    expect(numericDateOf('12/31/20')).toEqual({ separator: '/', proves: 'month-first' })
    expect(numericDateOf('1.2.2021')).toEqual({ separator: '.', proves: null })
    expect(numericDateOf('Dec 31, 2020')).toBeUndefined()
  })
})

describe('a day number of Excel', () => {
  it('is read if its column has such days', () => {
    expect(readDay(44_196, newYork, { hasExcelDays: true })).toBe('2020-12-31')
    expect(readDay('44196', newYork, { hasExcelDays: true })).toBe('2020-12-31')
    expect(instantOf('44196.5', 'UTC', { hasExcelDays: true })).toBe('2020-12-31T12:00:00.000Z')
    expect(readDay(2015, newYork, { hasExcelDays: true })).toBeUndefined()
  })
})

it('reads digits as milliseconds if others in the column are no dates', () => {
  expect(instantOf(201_109_161_225)).toBe('2011-09-16T12:25:00.000Z')
  expect(instantOf(201_109_161_225, 'UTC', { hasNoCompactDates: true })).toBe('1976-05-16T15:39:21.225Z')
})

it.each([
  '2020-12',
  '2020',
  '2020/1',
  '12/2020',
  '202012',
  'Dec 2020',
  'december, 2020',
  '2020 Dec.',
  'Q4 2020',
])('does not read %j, which names no day', (value) => {
  expect(isPartialDate(value)).toBe(true)
  expect(readDay(value, 'UTC')).toBeUndefined()
})

it.each(['2020-12-01', 'Dec 5, 2020', '44196', '12/31/20', '1234567', 'soon', '202013'])(
  'does not treat %j as a date without a day',
  (value) => {
    expect(isPartialDate(value)).toBe(false)
  },
)
