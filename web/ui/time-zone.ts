import { useEffect } from 'react'
import { instantOfLocalTime, localDay, localTime, offsetAt } from '#domain/values/time-zones.ts'

// The time zone in which the page shows dates: that of the open map, else the reader's.

let zoneOfMap: string | undefined

export const timeZone = (): string => zoneOfMap ?? readersZone()

const readersZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Sets the zone before the children render, which read it. */
export function useTimeZone(zone: string | undefined) {
  setTimeZone(zone)
  // Screens without a map follow. The effects of a new page run after those that the previous page cleans up.
  useEffect(() => {
    setTimeZone(zone)
    return () => setTimeZone(undefined)
  }, [zone])
}

export function setTimeZone(zone: string | undefined) {
  zoneOfMap = zone
}

/** As `datetime-local` has it, to the minute. Texts that are no instant stay. */
export function localText(text: string): string {
  const instant = /Z$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(instant) ? text : localTime(instant, timeZone()).replace(' ', 'T')
}

/** The instant (ISO 8601) of a text of `datetime-local`. Other texts stay. */
export function instantText(text: string): string {
  const isLocal = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)
  const local = isLocal ? Date.parse(`${text.replace(' ', 'T')}Z`) : Number.NaN
  return Number.isNaN(local) ? text : new Date(instantOfLocalTime(local, timeZone())).toISOString()
}

/** YYYY-MM-DD. */
export const today = (): string => localDay(Date.now(), timeZone())

/** 'Mountain Standard Time (Phoenix)', if the reader's clock shows another time at any time of the year; else null. */
export function otherTimeZone(now: Date = new Date()): string | null {
  const zone = timeZone()
  const reader = readersZone()
  const seasons = [0, 6].map((month) => Date.UTC(now.getUTCFullYear(), month))
  if (seasons.every((instant) => offsetAt(instant, zone) === offsetAt(instant, reader))) return null
  const name = new Intl.DateTimeFormat(undefined, { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value
  const city = cityOf(zone)
  return name === undefined || name === city ? city : `${name} (${city})`
}

/** 'New York' for 'America/New_York'. */
export const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
