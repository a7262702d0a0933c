import fc from 'fast-check'
import { expect, it } from 'vitest'
import { placeText, readPlace } from './read-place.ts'

it('reads a place as people write it', () => {
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

it('takes nothing for a place that is none', () => {
  for (const text of [
    '',
    '42.3736',
    'Lot 4',
    '91, 0',
    '0, 181',
    '42 N, 71 N',
    '-42 S, 71 W',
    `42°61'0"N 71°W`,
    '42,3736, -71,1097',
    '1, 2, 3',
  ])
    expect(readPlace(text), text).toBeNull()
})

it('reads what a form shows, to a centimeter', () => {
  const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true })
  fc.assert(
    fc.property(degrees(180), degrees(90), (lng, lat) => {
      const read = readPlace(placeText([lng, lat]))
      expect(read?.[0]).toBeCloseTo(lng, 6)
      expect(read?.[1]).toBeCloseTo(lat, 6)
    }),
  )
})
