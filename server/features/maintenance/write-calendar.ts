import type { CalendarAsset } from './due.queries.ts'

// Writes an iCalendar (RFC 5545) with all-day events.

export const calendarType = 'text/calendar'

type Calendar = { mapId: string; name: string; publicUrl: string }

export function writeCalendar(
  { mapId, name, publicUrl }: Calendar,
  assets: readonly CalendarAsset[],
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//POA Land Management//Maintenance//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    // Not part of a standard, but most programs read it.
    `X-WR-CALNAME:${escapeText(`${name}: maintenance`)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    ...assets.flatMap((asset) => writeEvent(asset, { mapId, publicUrl })),
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

function writeEvent(
  { id, name, task, dueOn, updatedAt }: CalendarAsset,
  { mapId, publicUrl }: Pick<Calendar, 'mapId' | 'publicUrl'>,
): string[] {
  const address = `${publicUrl}/config/map/${mapId}/features?select=${encodeURIComponent(id)}`
  return [
    'BEGIN:VEVENT',
    // Stable for each asset: recording maintenance moves the event to the next date.
    `UID:maintenance-${id}.${mapId}@${new URL(publicUrl).hostname}`,
    `DTSTAMP:${stampOf(updatedAt)}`,
    `LAST-MODIFIED:${stampOf(updatedAt)}`,
    `DTSTART;VALUE=DATE:${dueOn.replaceAll('-', '')}`,
    `SUMMARY:${escapeText(`${task ?? 'Maintenance'}: ${name || 'Untitled'}`)}`,
    `URL:${address}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** 20260502T083000Z */
const stampOf = (instant: number) => new Date(instant).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** RFC 5545, 3.3.11. Removes control characters other than line ends. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')
}

const longestLine = 75

/** RFC 5545, 3.1: lines of at most 75 octets, never split within a character; continuation lines begin with a space. */
function fold(line: string): string {
  const parts: string[] = []
  let [part, octets] = ['', 0]
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > longestLine) {
      parts.push(part)
      part = ' '
      octets = 1
    }
    part += character
    octets += size
  }
  return [...parts, part].join('\r\n')
}
