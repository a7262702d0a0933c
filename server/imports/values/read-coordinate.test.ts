import { expect, it } from 'vitest'
import { readCoordinate } from './read-coordinate.ts'

it.each([
  [42.39, 42.39],
  ['-71.0991', -71.0991],
  [`42°23'24.5"N`, 42 + 23 / 60 + 24.5 / 3600],
  [`71°05'58.2"W`, -(71 + 5 / 60 + 58.2 / 3600)],
  ['42 23 30 N', 42 + 23 / 60 + 30 / 3600],
  ['-71 06 01', -(71 + 6 / 60 + 1 / 3600)],
  ['71:06:01 W', -(71 + 6 / 60 + 1 / 3600)],
  [`N 42° 23.512'`, 42 + 23.512 / 60],
  [`W 071° 05.870'`, -(71 + 5.87 / 60)],
  ['42°23′24,5″N', 42 + 23 / 60 + 24.5 / 3600],
  ['71.0991° W', -71.0991],
  ['71.0991 S', -71.0991],
  ['W71.0991', -71.0991],
  ['071-05-58W', -(71 + 5 / 60 + 58 / 3600)],
  ['-71 05.9', -(71 + 5.9 / 60)],
  ['1 23.5', 1 + 23.5 / 60],
  ['42 23', 42 + 23 / 60],
])('reads %j', (value, degrees) => {
  expect(readCoordinate(value)).toBeCloseTo(degrees, 10)
})

it.each([`42°61'00"N`, `42°23'60"N`, `42.5°23'N`, 'N 42 S', 'north', `42°23'24"X`])(
  'does not understand %j',
  (value) => {
    expect(readCoordinate(value)).toBeUndefined()
  },
)

it('reads a decimal comma where the file has one', () => {
  expect(readCoordinate('42,3901', 'comma')).toBe(42.3901)
  expect(readCoordinate('42,3901')).toBeUndefined()
})
