import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { type FeatureKind, featureKinds, statusLabels } from '../definition/kinds.ts'
import { localDay, startOfDay } from '../values/time-zones.ts'
import {
  featureTypes,
  offeredFilters,
  readFilters,
  sinceOfTimeRange,
  timeRanges,
  typesByKind,
} from './filters.ts'
import { kindTraits } from './kind-traits.ts'

const noon = Date.parse('2026-03-10T12:00:00Z')

describe('sinceOfTimeRange', () => {
  it.each([
    ['all', undefined],
    ['week', '2026-03-03T05:00:00.000Z'],
    // Before clocks went forward on 8 March.
    ['month', '2026-02-08T05:00:00.000Z'],
    ['year', '2025-03-10T04:00:00.000Z'],
  ] as const)('%s begins at midnight in New York, %s', (range, since) => {
    expect(sinceOfTimeRange(range, noon, 'America/New_York')).toBe(since)
  })

  it('is the same at any time of the local day', () => {
    const times = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) })
    const zones = fc.constantFrom('America/Phoenix', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland')
    fc.assert(
      fc.property(times, fc.constantFrom(...timeRanges), zones, (now, range, zone) => {
        const startOfToday = startOfDay(localDay(now, zone), zone)
        expect(sinceOfTimeRange(range, now, zone)).toBe(sinceOfTimeRange(range, startOfToday, zone))
      }),
    )
  })
})

describe('typesByKind', () => {
  it('filters only kinds with a selected type', () => {
    expect(typesByKind([])).toEqual({ incident: null, asset: null, parcel: null })
    expect(typesByKind(['fire'])).toEqual({ incident: ['fire'], asset: null, parcel: null })
    expect(typesByKind(['water', 'fire', 'road'])).toEqual({
      incident: ['fire'],
      asset: ['water', 'road'],
      parcel: null,
    })
  })

  it('gives every type to exactly one kind', () => {
    expect(new Set(featureTypes).size).toBe(incidentTypes.length + assetTypes.length)
  })
})

describe('offeredFilters', () => {
  it.each([
    [undefined, true, ['incidents', 'assets', 'time', 'severity', 'status', 'due']],
    [undefined, false, ['incidents', 'assets', 'time', 'severity', 'status']],
    ['incident', true, ['incidents', 'time', 'severity', 'status']],
    ['asset', true, ['assets', 'status', 'due']],
    ['asset', false, ['assets', 'status']],
    ['parcel', true, []],
  ] as const)('of kind %s, for staff: %s, are %j', (kind, isStaff, names) => {
    expect(offeredFilters(kind, isStaff).map(({ name }) => name)).toEqual(names)
  })

  it('have the statuses of the kind, and all statuses without a kind', () => {
    const statuses = (kind?: FeatureKind) =>
      offeredFilters(kind, false).find(({ name }) => name === 'status')?.choices
    expect(Object.keys(statuses('incident') ?? {})).toEqual(['unresolved', 'resolved'])
    expect(Object.keys(statuses('asset') ?? {})).toEqual(['operational', 'maintenance', 'offline'])
    expect(statuses()).toEqual(statusLabels)
  })

  it('have the types of every kind', () => {
    for (const kind of featureKinds) {
      const choices = offeredFilters(kind, true).flatMap((filter) => Object.keys(filter.choices))
      expect(choices).toEqual(expect.arrayContaining(Object.keys(kindTraits[kind].types)))
    }
  })
})

it('reads filters from an address, and ignores unknown values and those for staff only', () => {
  const search = { status: 'offline', incidents: 'lake', severity: 'unknown', time: 'week', due: 'overdue' }
  expect(readFilters(search, true)).toEqual({
    status: 'offline',
    severity: 'unknown',
    time: 'week',
    due: 'overdue',
  })
  expect(readFilters(search, false).due).toBeUndefined()
})
