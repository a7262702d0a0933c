import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { statusLabels } from '../definition/kinds.ts'
import {
  type Filter,
  featureFilters,
  featureTypes,
  readMapFilters,
  readTableFilters,
  sinceOfTimeRange,
  startOfUtcDay,
  tableFilterNames,
  timeRanges,
  typesByKind,
} from './filters.ts'

const noon = new Date('2026-03-10T12:00:00Z')

describe('sinceOfTimeRange', () => {
  it.each([
    ['all', undefined],
    ['week', '2026-03-03'],
    ['month', '2026-02-08'],
    ['year', '2025-03-10'],
  ] as const)('%s begins on %s', (range, day) => {
    expect(sinceOfTimeRange(range, noon)).toBe(day)
  })

  it('returns a whole UTC day at any time of day', () => {
    const times = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(times, fc.constantFrom(...timeRanges), (now, range) => {
        const startOfToday = new Date(startOfUtcDay(now.toISOString().slice(0, 10)))
        expect(sinceOfTimeRange(range, now)).toBe(sinceOfTimeRange(range, startOfToday))
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

describe('filters of the table', () => {
  it.each([
    [undefined, ['status']],
    ['incident', ['type', 'severity', 'status']],
    ['asset', ['type', 'status', 'due']],
    ['parcel', []],
  ] as const)('of kind %s are %j', (kind, names) => {
    const offered = tableFilterNames.filter((name) => {
      const { choices, choicesOf = () => choices }: Filter = featureFilters[name]
      return Object.keys(choicesOf(kind)).length > 0
    })
    expect(offered).toEqual(names)
  })

  it('offer the statuses of the kind, and all statuses without a kind', () => {
    const { choicesOf } = featureFilters.status
    expect(Object.keys(choicesOf('incident'))).toEqual(['unresolved', 'resolved'])
    expect(Object.keys(choicesOf('asset'))).toEqual(['operational', 'maintenance', 'offline'])
    expect(choicesOf(undefined)).toEqual(statusLabels)
  })
})

it('reads filters from an address, and ignores unknown values', () => {
  const search = { status: 'offline', type: 'lake', severity: 'unknown', time: 'week', due: 'all' }
  expect(readTableFilters(search)).toEqual({ status: 'offline', severity: 'unknown' })
  expect(readMapFilters(search)).toEqual({ status: 'offline', time: 'week' })
})
