import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { dayInWords, relativeTime } from './relative-time.ts'
import { setTimeZone } from './time-zone.ts'

const now = new Date('2026-11-22T12:00:00Z')

describe('dayInWords', () => {
  afterEach(() => setTimeZone(undefined))

  it.each([
    ['America/Phoenix', '2026-11-22T07:00:00Z', 'Today'],
    ['America/Phoenix', '2026-11-22T06:59:59Z', 'Yesterday'],
    ['America/Phoenix', '2026-11-21T06:59:59Z', 'Nov 20, 2026'],
    ['Asia/Tokyo', '2026-11-22T06:59:59Z', 'Today'],
  ])('in %s, %s is %s', (zone, instant, words) => {
    setTimeZone(zone)
    expect(dayInWords(instant, now)).toBe(words)
  })
})

it('says yesterday after a day of 23 hours', () => {
  setTimeZone('America/Denver')
  const afterMidnight = new Date('2026-03-09T06:15:00Z')
  expect(dayInWords('2026-03-08T18:00:00Z', afterMidnight)).toBe('Yesterday')
  expect(dayInWords('2026-03-08T06:30:00Z', afterMidnight)).toBe('Mar 7, 2026')
  setTimeZone(undefined)
})

describe('relativeTime', () => {
  it.each([
    ['2023-02-01T00:00:00Z', '3 years ago'],
    ['2022-11-22T12:00:00Z', '4 years ago'],
    ['2022-11-22T12:00:01Z', '4 years ago', new Date('2026-11-22T12:00:01Z')],
    ['2022-11-22T12:00:01Z', '3 years ago'],
    ['2024-12-31T12:00:00Z', '1 year ago'],
    ['2025-11-23T12:00:00Z', '11 months ago'],
    ['2026-10-22T12:00:00Z', '1 month ago'],
    ['2026-10-23T12:00:00Z', '4 weeks ago'],
    ['2026-11-09T12:00:00Z', '1 week ago'],
    ['2026-11-20T12:00:01Z', '1 day ago'],
    ['2026-11-22T10:00:01Z', '1 hour ago'],
    ['2026-11-22T11:58:01Z', '1 minute ago'],
    ['2026-11-22T11:59:01Z', 'just now'],
    ['2026-11-22T12:00:59Z', 'just now'],
    ['2026-11-24T11:59:59Z', 'in 1 day'],
    ['2030-11-22T11:59:59Z', 'in 3 years'],
  ])('of %s is %s', (instant, words, at = now) => {
    expect(relativeTime(instant, at)).toBe(words)
  })

  it('is short in tables', () => {
    expect(relativeTime('2026-10-22T12:00:00Z', now, 'narrow')).toBe('1mo ago')
  })

  it('rounds down to full units', () => {
    // The shortest and longest duration: a month has 28 to 31 days.
    const days = {
      year: [365, 366],
      month: [28, 31],
      week: [7, 7],
      day: [1, 1],
      hour: [1 / 24, 1 / 24],
    } as const
    const instants = fc.date({
      min: new Date('1900-01-01T00:00:00Z'),
      max: new Date('2100-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, instants, (one, other) => {
        const [then, at] = one < other ? [one, other] : [other, one]
        const passedDays = (at.getTime() - then.getTime()) / 86_400_000
        const words = relativeTime(then.toISOString(), at)
        const [, count, unit] = /^(\d+) (year|month|week|day|hour)/.exec(words) ?? []
        if (!count || !unit) {
          expect(passedDays).toBeLessThan(1 / 24)
          return
        }
        const [least, most] = days[unit as keyof typeof days]
        expect(passedDays).toBeGreaterThanOrEqual(Number(count) * least)
        expect(passedDays).toBeLessThan((Number(count) + 1) * most)
      }),
      { numRuns: 2_000 },
    )
  })
})
