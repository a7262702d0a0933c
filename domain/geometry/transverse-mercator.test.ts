import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromUtm, toUtm, utmZoneOf } from './transverse-mercator.ts'

it.each([
  // What PROJ 9 says, in metres.
  [-111.09, 34.05, 12, 'north', 491_693.56663, 3_767_703.55384],
  [-105, 40, 12, 'north', 1_012_321.62375, 4_445_034.6403],
  [151.2, -33.86, 56, 'south', 333_491.22993, 6_251_909.20605],
] as const)(
  'puts %d, %d where it is in its zone, or beside it',
  (lng, lat, number, half, easting, northing) => {
    const [x, y] = toUtm({ number, half }, lng, lat)
    expect(x).toBeCloseTo(easting, 3)
    expect(y).toBeCloseTo(northing, 3)
  },
)

it('comes back to the same place', () => {
  const somewhere = fc.record({
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
    lat: fc.double({ min: -84, max: 84, noNaN: true }),
  })
  fc.assert(
    fc.property(somewhere, ({ lng, lat }) => {
      const zone = utmZoneOf(lng, lat)
      const [backLng, backLat] = fromUtm(zone, ...toUtm(zone, lng, lat))
      expect(backLng).toBeCloseTo(lng, 8)
      expect(backLat).toBeCloseTo(lat, 8)
    }),
  )
})

it('has 60 zones', () => {
  expect([-180, -111.09, -0.1, 0, 179.9, 180].map((lng) => utmZoneOf(lng, 0).number)).toEqual([
    1, 12, 30, 31, 60, 60,
  ])
  expect([utmZoneOf(0, 1).half, utmZoneOf(0, -1).half]).toEqual(['north', 'south'])
})
