import { describe, expect, it } from 'vitest'
import { instantOfLocalTime, isTimeZone } from './time-zones.ts'

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

describe('isTimeZone', () => {
  it.each([
    ['America/New_York', true],
    ['UTC', true],
    ['Boston', false],
    ['', false],
  ])('%s: %s', (name, is) => {
    expect(isTimeZone(name)).toBe(is)
  })
})
