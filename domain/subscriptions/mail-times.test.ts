import { describe, expect, it } from 'vitest'
import { afterQuietHours, nextDigestAt } from './mail-times.ts'

const timeZone = 'America/Denver'
const at = (text: string) => Date.parse(text)
const iso = (instant: number) => new Date(instant).toISOString()

describe('the time of a digest', () => {
  const next = (frequency: 'daily' | 'weekly', now: string) =>
    iso(nextDigestAt(frequency, 7, { timeZone, now: at(now) }))

  it('is the next 7:00 in the time zone', () => {
    expect(next('daily', '2026-01-15T13:59:59Z')).toBe('2026-01-15T14:00:00.000Z')
    expect(next('daily', '2026-01-15T14:00:00Z')).toBe('2026-01-16T14:00:00.000Z')
  })

  it('stays 7:00 when clocks change', () => {
    expect(next('daily', '2026-03-07T15:00:00Z')).toBe('2026-03-08T13:00:00.000Z')
  })

  it('is on Monday once a week', () => {
    // A Monday, at 7:00 there.
    expect(next('weekly', '2026-01-12T14:00:00Z')).toBe('2026-01-19T14:00:00.000Z')
    expect(next('weekly', '2026-01-12T13:00:00Z')).toBe('2026-01-12T14:00:00.000Z')
  })
})

describe('quiet hours', () => {
  const delayed = (quietFrom: number | null, quietUntil: number, now: string) =>
    iso(afterQuietHours({ quietFrom, quietUntil }, { timeZone, now: at(now) }))

  it.each([
    ['before them', '2026-01-15T04:59:59Z', '2026-01-15T04:59:59.000Z'],
    ['as they begin', '2026-01-15T05:00:00Z', '2026-01-15T14:00:00.000Z'],
    ['after midnight', '2026-01-15T10:00:00Z', '2026-01-15T14:00:00.000Z'],
    ['as they end', '2026-01-15T14:00:00Z', '2026-01-15T14:00:00.000Z'],
  ])('from 22 to 7 delay until 7: %s', (_, now, expected) => {
    expect(delayed(22, 7, now)).toBe(expected)
  })

  it('can lie within one day', () => {
    expect(delayed(12, 14, '2026-01-15T18:30:00Z')).toBe('2026-01-15T18:30:00.000Z')
    expect(delayed(12, 14, '2026-01-15T19:30:00Z')).toBe('2026-01-15T21:00:00.000Z')
    expect(delayed(12, 14, '2026-01-15T21:30:00Z')).toBe('2026-01-15T21:30:00.000Z')
  })

  it('can be off', () => {
    expect(delayed(null, 7, '2026-01-15T10:00:00Z')).toBe('2026-01-15T10:00:00.000Z')
  })
})
