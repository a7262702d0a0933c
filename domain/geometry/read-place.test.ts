import fc from 'fast-check'
import { expect, it } from 'vitest'
import { placeText, readPlace } from './read-place.ts'

it('reads places in usual notations', () => {
  for (const text of [
    '42.3736, -71.1097',
    ' 42.3736 -71.1097 ',
    '42.3736;-71.1097',
    '42.3736 N, 71.1097 W',
    'N 42.3736 W 71.1097',
    '71.1097W 42.3736N',
    '42.3736° n 71.1097° w',
  ])
    expect(readPlace(text), text).toEqual([-71.1097, 42.3736])
  const [lng, lat] = readPlace(`42°22'24.96"N71°6'34.92"W`) ?? []
  expect(lat).toBeCloseTo(42.3736, 9)
  expect(lng).toBeCloseTo(-71.1097, 9)
  expect(readPlace('-0° 30′, 0°')).toEqual([0, -0.5])
})

it.each([
  '42.3736,-71.1097,17z',
  '@42.3736,-71.1097,15.5z',
  '(42.3736, -71.1097)',
  '(42.3736,-71.1097,17z)',
  '42,3736; -71,1097',
  '42,3736 -71,1097',
  '42,3736, -71,1097',
  'geo:42.3736,-71.1097?z=17',
  'https://www.google.com/maps/@42.3736,-71.1097,17z',
  'https://www.google.com/maps/place/Lot+4/@42.4,-71.2,17z/data=!3m1!4b1!4m4!3m3!8m2!3d42.3736!4d-71.1097',
  'https://www.google.com/maps/search/?api=1&query=42.3736%2C-71.1097',
  'https://maps.google.com/?q=42.3736,-71.1097',
  'https://maps.apple.com/?ll=42.3736,-71.1097&q=Lot',
  'https://www.openstreetmap.org/?mlat=42.3736&mlon=-71.1097#map=17/42.4/-71.2',
  'https://www.openstreetmap.org/#map=17/42.3736/-71.1097',
  'https://land.example.org/map/oak-hills#15/42.3736/-71.1097',
])('reads %s', (text) => {
  expect(readPlace(text)).toEqual([-71.1097, 42.3736])
})

it('returns null for other text', () => {
  for (const text of [
    '',
    '42.3736',
    'Lot 4',
    '91, 0',
    '0, 181',
    '42 N, 71 N',
    '-42 S, 71 W',
    `42°61'0"N 71°W`,
    '34,05',
    '-34,05',
    'https://www.google.com/maps/place/Lot+4',
    'https://example.org/@91,0,5z',
    '1, 2, 3',
  ])
    expect(readPlace(text), text).toBeNull()
})

it('reads the text of a form to a centimeter', () => {
  const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true })
  fc.assert(
    fc.property(degrees(180), degrees(90), (lng, lat) => {
      const read = readPlace(placeText([lng, lat]))
      expect(read?.[0]).toBeCloseTo(lng, 6)
      expect(read?.[1]).toBeCloseTo(lat, 6)
    }),
  )
})
