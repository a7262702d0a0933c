import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOfLocalTime, isTimeZone, localDay, localTime, startOfDay } from './time-zones.ts'

const utcOf = (local: string, zone: string) =>
  new Date(instantOfLocalTime(Date.parse(`${local}Z`), zone)).toISOString()

describe('instantOfLocalTime', () => {
  it.each([
    ['2015-01-02T15:45:56', 'UTC', '2015-01-02T15:45:56.000Z'],
    ['2015-01-02T15:45:56', 'America/New_York', '2015-01-02T20:45:56.000Z'],
    ['2015-07-02T15:45:56', 'America/New_York', '2015-07-02T19:45:56.000Z'],
    ['2015-01-02T15:45:56', 'Asia/Kathmandu', '2015-01-02T10:00:56.000Z'],
    ['2015-01-02T01:00:00', 'Pacific/Auckland', '2015-01-01T12:00:00.000Z'],
    // Clocks went forward at 02:00 on 8 March, and back at 02:00 on 1 November.
    ['2015-03-08T01:59:59', 'America/New_York', '2015-03-08T06:59:59.000Z'],
    ['2015-03-08T02:30:00', 'America/New_York', '2015-03-08T07:30:00.000Z'],
    ['2015-03-08T03:00:00', 'America/New_York', '2015-03-08T07:00:00.000Z'],
    ['2015-11-01T01:30:00', 'America/New_York', '2015-11-01T05:30:00.000Z'],
    ['2015-11-01T02:00:00', 'America/New_York', '2015-11-01T07:00:00.000Z'],
    // Before railway time every town had its own.
    ['1874-01-01T00:00:00', 'America/New_York', '1874-01-01T04:56:02.000Z'],
  ])('%s in %s is %s', (local, zone, utc) => {
    expect(utcOf(local, zone)).toBe(utc)
  })
})

describe('localTime', () => {
  it.each([
    ['2026-03-08T06:59:59Z', 'America/New_York', '2026-03-08 01:59'],
    ['2026-03-08T07:00:00Z', 'America/New_York', '2026-03-08 03:00'],
    ['2026-11-27T06:59:59Z', 'America/Phoenix', '2026-11-26 23:59'],
    ['2026-11-27T07:00:00Z', 'America/Phoenix', '2026-11-27 00:00'],
    ['2026-11-27T11:15:00Z', 'Pacific/Auckland', '2026-11-28 00:15'],
    ['2026-11-27T18:30:00Z', 'Asia/Kolkata', '2026-11-28 00:00'],
  ])('of %s in %s is %s', (instant, zone, local) => {
    expect(localTime(Date.parse(instant), zone)).toBe(local)
    expect(localDay(Date.parse(instant), zone)).toBe(local.slice(0, 10))
  })
})

// Lebanon and Paraguay change their clocks at midnight, Lord Howe Island by half an hour.
const zones = fc.constantFrom(
  'UTC',
  'America/Phoenix',
  'America/New_York',
  'America/Asuncion',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Honolulu',
)
const instants = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) })

describe('startOfDay', () => {
  it('is the first instant of the day that contains an instant', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const day = localDay(instant, zone)
        const start = startOfDay(day, zone)
        expect(start).toBeLessThanOrEqual(instant)
        expect(localDay(start, zone)).toBe(day)
        expect(localDay(start - 1, zone) < day).toBe(true)
        // Days have 23 to 25 hours.
        expect(instant - start).toBeLessThan(25 * 3_600_000)
      }),
      { numRuns: 2_000 },
    )
  })

  it('divides all instants: a later instant has no earlier day', () => {
    fc.assert(
      fc.property(instants, fc.nat(200 * 3_600_000), zones, (instant, laterMs, zone) => {
        const [day, later] = [localDay(instant, zone), localDay(instant + laterMs, zone)]
        expect(later >= day).toBe(true)
        expect(later > day).toBe(startOfDay(later, zone) > instant)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the local time of an instant', () => {
  it('leads back: instantOfLocalTime returns the instant of every local time, to the minute', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const local = localTime(instant, zone)
        const back = instantOfLocalTime(Date.parse(`${local.replace(' ', 'T')}Z`), zone)
        expect(localTime(back, zone)).toBe(local)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('isTimeZone', () => {
  it.each([
    ['America/New_York', true],
    ['UTC', true],
    ['Boston', false],
    ['+05:00', false],
    ['', false],
  ])('%s: %s', (name, is) => {
    expect(isTimeZone(name)).toBe(is)
  })
})
