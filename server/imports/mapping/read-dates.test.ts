import { describe, expect, it } from 'vitest'
import { readDay, readInstant } from './read-dates.ts'

const newYork = 'America/New_York'
const instantOf = (value: unknown, zone = 'UTC') => {
  const instant = readInstant(value, zone)
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
  ])('%j is %s', (value, instant) => {
    expect(instantOf(value)).toBe(instant)
  })

  it.each([
    'soon',
    '13/02/2015',
    '02/30/2015',
    '2015-02-29',
    '2015-13-01',
    '1/2/15',
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
  ])('%j is no date', (value) => {
    expect(readInstant(value, 'UTC')).toBeUndefined()
    expect(readDay(value, 'UTC')).toBeUndefined()
  })

  it('takes dates without offset for local ones', () => {
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
    // Midnight UTC is a day; any other instant is the day that it was there.
    [-3_029_443_200_000, '1874-01-01'],
    [1_420_164_000_000, '2015-01-01'],
  ])('%j in New York is %s', (value, day) => {
    expect(readDay(value, newYork)).toBe(day)
  })
})
