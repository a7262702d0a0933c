import { expect, it } from 'vitest'
import type { ActivityItem } from '#domain/activity/activity.schema.ts'
import { activityText } from './activity-text.ts'

const none = { count: 0, names: [] }
const named = (...names: string[]) => ({ count: names.length, names })
const of = (details: object) =>
  activityText({ action: 'features.changed', subject: null, details } as unknown as ActivityItem)
const lots = named('Lot 2', 'Lot 20', 'Lot 20 (2)')

it.each([
  [
    'split ‘Lot 20’ into ‘Lot 20’ and ‘Lot 20 (2)’ and changed 1 neighbor',
    {
      ...lots,
      land: 'split',
      records: { from: named('Lot 20'), into: named('Lot 20', 'Lot 20 (2)'), added: none, neighbors: 1 },
    },
  ],
  [
    'merged ‘Lot 13’ into ‘Lot 12’',
    {
      ...named('Lot 13', 'Lot 12'),
      land: 'merged',
      records: { from: named('Lot 13'), into: named('Lot 12'), added: none, neighbors: 0 },
    },
  ],
  [
    'added ‘Lot 77’ and changed 2 neighbors',
    {
      ...named('Lot 24', 'Lot 26', 'Lot 77'),
      records: { from: none, into: none, added: named('Lot 77'), neighbors: 2 },
    },
  ],
  ['split ‘Lot 2’, ‘Lot 20’, and ‘Lot 20 (2)’', { ...lots, land: 'split' }],
  ['changed ‘Lot 1’ and 3 more records', { count: 4, names: ['Lot 1'] }],
  ['undid a change to ‘Lot 77’', { ...named('Lot 77'), undoes: 'c', records: {} }],
])('the activity of several records says: %s', (words, details) => {
  expect(of(details)).toBe(words)
})

it.each([
  ['wrote or changed a note on ‘Leak’', 'Leak'],
  ['wrote or changed a note on a report', ''],
])('the activity of a note says: %s', (words, name) => {
  const item = { action: 'incident.noted', subject: 'd5a87c27', details: { name } }
  expect(activityText(item as unknown as ActivityItem)).toBe(words)
})
