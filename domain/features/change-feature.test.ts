import { describe, expect, it } from 'vitest'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { aParcel, square } from '#test/databases/feature-builders.ts'
import { applyChange } from './change-feature.ts'
import { noCustomFields } from './custom-fields.ts'
import type { FeatureChange } from './merge-change.ts'

describe('the area of a parcel', () => {
  const small = square(-111.1, 34.04, 0.01)
  const large = square(-111.1, 34.04, 0.02)
  const rounded = Math.round((measureAcres(small) ?? 0) * 100) / 100
  const areaAfter = (area: number | null, change: FeatureChange) => {
    const applied = applyChange(aParcel({ area, geometry: small }), change, {
      now: new Date(),
      customFields: noCustomFields,
    })
    return 'feature' in applied && applied.feature.kind === 'parcel' ? applied.feature.area : applied
  }

  it('does not change with other fields', () => {
    expect(rounded).not.toBe(measureAcres(small))
    expect(areaAfter(rounded, { owner: 'Ann Zabriskie' })).toBe(rounded)
    expect(areaAfter(null, { owner: 'Ann Zabriskie' })).toBeNull()
  })

  it('follows the shape, unless another one is given', () => {
    expect(areaAfter(rounded, { geometry: large })).toBe(measureAcres(large))
    expect(areaAfter(null, { geometry: large })).toBe(measureAcres(large))
    expect(areaAfter(12, { geometry: large })).toBe(12)
    expect(areaAfter(12, { area: null })).toBe(measureAcres(small))
  })
})

it('rejects more metadata than a file has columns, but retains existing metadata', () => {
  const metadata = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `n${at}`, value: at }))
  const changed = (count: number, change: FeatureChange) =>
    applyChange(aParcel({ metadata: metadata(count) }), change, {
      now: new Date(),
      customFields: noCustomFields,
    })
  expect(changed(0, { metadata: metadata(2_001) })).toEqual({
    faults: [{ field: 'metadata', message: 'must have at most 2,000 entries' }],
  })
  expect(changed(0, { metadata: metadata(2_000) })).toHaveProperty('feature')
  expect(changed(2_001, { owner: 'Ann' })).toHaveProperty('feature')
})

it('rejects numbers that JSON parsers round, unless they are stored already', () => {
  const huge = Number.MAX_SAFE_INTEGER + 1
  const stored = aParcel({ area: huge, metadata: [{ name: 'pin', value: huge }] })
  const changed = (change: FeatureChange) =>
    applyChange(stored, change, { now: new Date(), customFields: noCustomFields })
  const pins = (...values: number[]) => ({ metadata: values.map((value) => ({ name: 'pin', value })) })
  const message = 'must be within ±9,007,199,254,740,991: larger numbers lose digits'
  expect(changed({ taxInfo: { annualAmount: huge + 2 } })).toEqual({
    faults: [{ field: 'taxInfo.annualAmount', message }],
  })
  expect(changed(pins(1, -huge - 2))).toEqual({ faults: [{ field: 'metadata.1.value', message }] })
  expect(changed({ area: huge, ...pins(1, huge) })).toHaveProperty('feature')
  expect(changed(pins(huge - 1))).toHaveProperty('feature')
})

it('rejects values that are nested deeply', () => {
  const depth = 20_000
  const deep = JSON.parse(`{"a":`.repeat(depth) + '1' + '}'.repeat(depth))
  const circumstances = { now: new Date(), customFields: noCustomFields }
  for (const change of [{ taxInfo: { annualAmount: deep } }, { metadata: [{ name: 'a', value: deep }] }])
    expect(applyChange(aParcel(), change, circumstances)).toHaveProperty('faults')
})
