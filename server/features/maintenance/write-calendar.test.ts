import { expect, it } from 'vitest'
import { writeCalendar } from './write-calendar.ts'

const calendar = { mapId: 'oak-hills', name: 'Oak Hills', publicUrl: 'https://maps.example.org' }
const asset = {
  id: 'tank-1',
  name: 'Tank',
  task: 'Yearly inspection',
  dueOn: '2026-05-31',
  updatedAt: Date.parse('2026-01-02T03:04:05.678Z'),
}

it('writes iCalendar with an all-day event for each asset', () => {
  expect(writeCalendar(calendar, [asset])).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//POA Land Management//Maintenance//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'X-WR-CALNAME:Oak Hills: maintenance',
      'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
      'BEGIN:VEVENT',
      'UID:maintenance-tank-1.oak-hills@maps.example.org',
      'DTSTAMP:20260102T030405Z',
      'LAST-MODIFIED:20260102T030405Z',
      'DTSTART;VALUE=DATE:20260531',
      'SUMMARY:Yearly inspection: Tank',
      'URL:https://maps.example.org/config/map/oak-hills/features?select=tank-1',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  )
})

it('escapes line breaks and separators in texts', () => {
  const name = 'A, b; c \\ d\r\nEND:VEVENT\n\u0007e'
  const text = writeCalendar(calendar, [{ ...asset, task: null, name }])
  expect(text).toContain('SUMMARY:Maintenance: A\\, b\\; c \\\\ d\\nEND:VEVENT\\n e\r\n')
  expect(text.match(/END:VEVENT\r\n/g)).toHaveLength(1)
})

it.each(['x'.repeat(200), '水'.repeat(100), `a${'é'.repeat(150)}`, '👩‍🚒 '.repeat(40)])(
  'folds lines at 75 octets, and never within a character: %s',
  (name) => {
    const text = writeCalendar(calendar, [{ ...asset, name }])
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(text).not.toContain('\uFFFD')
    expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:Yearly inspection: ${name}\r\n`)
  },
)
