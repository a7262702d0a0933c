import { expect, it } from 'vitest'
import { exactBox, roundedBox } from './box-text.ts'

it.each([
  [{ west: -111.1, south: 34, east: -111, north: 34.1 }, '-111.10000,34.00000,-111.00000,34.10000'],
  [{ west: 179, south: -17, east: 181, north: -16 }, '179.00000,-17.00000,-179.00000,-16.00000'],
  [{ west: -181, south: -17, east: -179, north: -16 }, '179.00000,-17.00000,-179.00000,-16.00000'],
  [{ west: -400, south: -95, east: 200, north: 95 }, '-180.00000,-90.00000,180.00000,90.00000'],
])('the view %o is the box %s', (seen, text) => {
  expect(exactBox(seen)).toBe(text)
})

it('is rounded outwards', () => {
  expect(roundedBox({ west: 179.001, south: -17, east: 181.001, north: -16.004 })).toBe(
    '179.00,-17.00,-178.99,-16.00',
  )
})
