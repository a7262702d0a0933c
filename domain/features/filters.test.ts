import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { incidentTypes } from '#domain/incidents/incident-types.ts'
import { featureTypes, sinceOfTimeRange, startOfUtcDay, timeRanges, typesByKind } from './filters.ts'

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

  it('is a whole UTC day, however late it is', () => {
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
  it('constrains only kinds of which it names a type', () => {
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
