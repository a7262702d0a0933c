import { afterEach, describe, expect, it } from 'vitest'
import { exactTime } from './relative-time.ts'
import { cityOf, otherTimeZone, setTimeZone, today } from './time-zone.ts'

afterEach(() => setTimeZone(undefined))

const readersZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

describe('the time zone of the page', () => {
  it.each([
    ['America/Phoenix', 'Nov 26, 2026, 11:59 PM'],
    ['Asia/Kolkata', 'Nov 27, 2026, 12:29 PM'],
  ])('%s shows an instant as %s', (zone, text) => {
    setTimeZone(zone)
    expect(exactTime('2026-11-27T06:59:59Z').replaceAll('\u202f', ' ')).toBe(text)
  })

  it('is named only if the clocks of the reader differ', () => {
    expect(otherTimeZone()).toBeNull()
    setTimeZone(readersZone)
    expect(otherTimeZone()).toBeNull()
    setTimeZone('Pacific/Kiritimati')
    expect(otherTimeZone()).toBe('Line Islands Time (Kiritimati)')
    expect(today() >= new Date().toISOString().slice(0, 10)).toBe(true)
  })

  it('has a city without underscores', () => {
    expect(cityOf('America/Argentina/Buenos_Aires')).toBe('Buenos Aires')
  })
})
