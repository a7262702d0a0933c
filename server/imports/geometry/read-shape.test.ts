import { expect, it } from 'vitest'
import { readShapeOf, shapeNotationOf } from './read-shape.ts'

const inMinutes = { type: 'Point', coordinates: [-71.25, 42.5] }
const point = { type: 'Point', coordinates: [-71.09, 42.39] }
const wkb = '0101000000F6285C8FC2C551C052B81E85EB314540'
const ewkb = '0101000020E6100000F6285C8FC2C551C052B81E85EB314540'

it.each([
  ['POINT (-71.09 42.39)', 'wkt', point],
  ['SRID=4326;POINT(-71.09 42.39)', 'wkt', { ...point, srid: 4326 }],
  [wkb, 'wkb', point],
  [ewkb, 'wkb', { ...point, srid: 4326 }],
  [JSON.stringify(point), 'geojson', point],
  [JSON.stringify({ type: 'Feature', properties: {}, geometry: point }), 'geojson', point],
  [point, 'geojson', point],
  ['(42.39, -71.09)', 'latitude-longitude', point],
  ['12 Elm St\nAnytown, MA\n(42.39, -71.09)', 'latitude-longitude', point],
  ['42.39,-71.09', 'latitude-longitude', point],
  ['42.39 -71.09', 'latitude-longitude', point],
  [`42°30'00"N, 71°15'00"W`, 'latitude-longitude', inMinutes],
  [`42°30'00"N 71°15'00"W`, 'latitude-longitude', inMinutes],
  [`W 71 15 00 N 42 30 00`, 'latitude-longitude', inMinutes],
  ['(-71.09, 42.39)', 'latitude-longitude', { type: 'Point', coordinates: [42.39, -71.09] }],
  ['(-171.09, 42.39)', 'latitude-longitude', { type: 'Point', coordinates: [-171.09, 42.39] }],
])('reads %j', (value, notation, shape) => {
  expect(shapeNotationOf(value)).toBe(notation)
  expect(readShapeOf(value)).toEqual(shape)
})

it('reads the longitude first where other cells of the column prove it', () => {
  expect(readShapeOf('-71.09, 42.39', true)).toEqual(point)
  expect(readShapeOf('POINT (-71.09 42.39)', true)).toEqual(point)
})

it('reads a polygon in well-known binary, with elevations', () => {
  const numbers = [0, 0, 9, 1, 0, 9, 1, 1, 9, 0, 0, 9]
  const bytes = Buffer.alloc(1 + 4 + 4 + 4 + numbers.length * 8)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(1003, 1)
  bytes.writeUInt32LE(1, 5)
  bytes.writeUInt32LE(4, 9)
  for (const [index, number] of numbers.entries()) bytes.writeDoubleLE(number, 13 + index * 8)
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ]
  expect(readShapeOf(bytes.toString('hex'))).toEqual({ type: 'Polygon', coordinates: [ring] })
})

it.each([
  'Elm Street',
  'Apartment (2, 3)',
  '1234567890',
  'POINT',
  '{"a": 1}',
  '12, 34',
  '12 34',
  'Ends 2 3',
  5,
  null,
])('finds no shape in %j', (value) => {
  expect(readShapeOf(value)).toBeUndefined()
})

it.each(['0103000000FFFFFFFF', wkb.slice(0, -2), `${wkb}00`, '0199000000FFFFFFFF'])(
  'does not understand the bytes %s',
  (value) => {
    expect(readShapeOf(value)).toBeUndefined()
  },
)
