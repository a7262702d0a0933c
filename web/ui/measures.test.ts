import { describe, expect, it } from 'vitest'
import {
  formatArea,
  formatDistance,
  formatLand,
  formatMetersAndFeet,
  inBothUnits,
  roundDistanceWithin,
  unitsOf,
} from './measures.ts'

describe('units', () => {
  it.each([
    ['en-US', 'imperial'],
    ['es-US', 'imperial'],
    ['en-LR', 'imperial'],
    ['my', 'imperial'],
    ['en-GB', 'metric'],
    ['de', 'metric'],
  ])('of %s are %s', (locale, units) => {
    expect(unitsOf(locale)).toBe(units)
  })

  it.each([
    [0, '0.0 m²', '0.0 sq ft'],
    [99.94, '99.9 m²', '1,076 sq ft'],
    [9_999, '9,999 m²', '2.47 acres'],
    [10_000, '1.00 ha', '2.47 acres'],
    [999_900, '99.99 ha', '247.08 acres'],
    [1_000_000, '1.00 km²', '247.11 acres'],
    [2_589_988.2, '2.59 km²', '1.00 sq mi'],
  ])('%d m²', (squareMeters, metric, imperial) => {
    expect(formatArea(squareMeters, 'metric')).toBe(metric)
    expect(formatArea(squareMeters, 'imperial')).toBe(imperial)
  })

  it.each([
    [0.4, '1 m', '1 ft'],
    [99, '50 m', '200 ft'],
    [305, '200 m', '1,000 ft'],
    [999, '500 m', '2,000 ft'],
    [1_609.4, '1 km', '1 mi'],
    [4_000_000, '2,000 km', '2,000 mi'],
  ])('round distances within %d m', (meters, metric, imperial) => {
    expect(roundDistanceWithin(meters, 'metric').text).toBe(metric)
    expect(roundDistanceWithin(meters, 'imperial').text).toBe(imperial)
  })

  it('rounds feet beside exact meters', () => {
    expect(formatMetersAndFeet(300, 'imperial')).toBe('about 1,000 ft (300 m)')
    expect([300, 200, 150, 100].map((meters) => formatMetersAndFeet(meters, 'metric'))).toEqual([
      '300 m (about 1,000 ft)',
      '200 m (about 660 ft)',
      '150 m (about 500 ft)',
      '100 m (about 330 ft)',
    ])
  })

  it.each([
    [0, '0.0 m', '0.0 ft'],
    [0.0001, '0.1 mm', 'less than 0.1 in'],
    [0.011, '11.0 mm', '0.4 in'],
    [0.05, '0.1 m', '0.2 ft'],
    [99.9, '99.9 m', '328 ft'],
    [1_000, '1,000 m', '3,281 ft'],
    [1_001, '1.00 km', '3,284 ft'],
    [1_609.4, '1.61 km', '1.00 mi'],
    [12_345, '12.35 km', '7.67 mi'],
  ])('%d m', (meters, metric, imperial) => {
    expect(formatDistance(meters, 'metric')).toBe(metric)
    expect(formatDistance(meters, 'imperial')).toBe(imperial)
  })

  it('are shown side by side, own units first', () => {
    expect(inBothUnits(formatDistance, 300, 'imperial')).toBe('984 ft (300 m)')
    expect(inBothUnits(formatDistance, 300, 'metric')).toBe('300 m (984 ft)')
    expect(inBothUnits(formatLand, 0.07, 'imperial')).toBe('0.07 acres (283 m²)')
    expect(inBothUnits(formatLand, 800, 'metric')).toBe('3.24 km² (800 acres)')
    expect(formatLand(54.73, 'imperial')).toBe('54.7 acres')
  })
})
