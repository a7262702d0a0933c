import { expect, it } from 'vitest'
import { threadTime } from '#test/server/event-loop-delay.ts'
import { geometryTypes } from '../formats/read-json.ts'
import { readWkt, unreadTypes } from '../formats/well-known-shapes.ts'
import { Refusal } from '../import-error.ts'
import { isEmptyShape, projectionNamedBy, readGeometry } from './read-geometry.ts'
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
  ['https://www.google.com/maps/@42.39,-71.09,17z', 'latitude-longitude', point],
  ['https://www.google.com/maps/place/Elm+St/@42.39,-71.09,17z/data=!4m6', 'latitude-longitude', point],
  ['https://maps.google.com/?q=42.39,-71.09', 'latitude-longitude', point],
  ['https://www.google.com/maps/place/X/@1,2,17z/data=!3d42.39!4d-71.09', 'latitude-longitude', point],
  ['https://www.openstreetmap.org/#map=19/42.39/-71.09', 'latitude-longitude', point],
  ['@42.39,-71.09,15z', 'latitude-longitude', point],
  [' 42.39,-71.09,17z ', 'latitude-longitude', point],
  ['(-71.09, 42.39)', 'latitude-longitude', { type: 'Point', coordinates: [42.39, -71.09] }],
  ['(-171.09, 42.39)', 'latitude-longitude', { type: 'Point', coordinates: [-171.09, 42.39] }],
])('reads %j', (value, notation, shape) => {
  expect(shapeNotationOf(value)).toBe(notation)
  expect(readShapeOf(value)).toEqual(shape)
})

it('reads the longitude first if other cells of the column prove it', () => {
  expect(readShapeOf('-71.09, 42.39', 'longitude-first')).toEqual(point)
  expect(readShapeOf('POINT (-71.09 42.39)', 'longitude-first')).toEqual(point)
})

it('rejects a pair that fits both orders if the column has both', () => {
  expect(() => readShapeOf('(42.39, -71.09)', 'mixed')).toThrow('its location "(42.39, -71.09)" is ambiguous')
  expect(readShapeOf('(42.39, -171.09)', 'mixed')).toEqual({ type: 'Point', coordinates: [-171.09, 42.39] })
})

it('reads the latitude first in a link, regardless of the column', () => {
  expect(readShapeOf('https://maps.google.com/?q=42.39,-71.09', 'longitude-first')).toEqual(point)
})

it.each(['https://maps.app.goo.gl/AbCdEf123', 'https://goo.gl/maps/AbCdEf123'])(
  'reports that the short link %s does not contain the place',
  (link) => {
    expect(() => readShapeOf(link)).toThrow(
      `its short link "${link}" has no location; open it in a browser, and copy the full URL`,
    )
  },
)

const ring = '0 0, 1 0, 1 1, 0 0'
const polygon = readWkt(`POLYGON ((${ring}))`)
const label = { type: 'Point', coordinates: [0.5, 0.5] }

const binary = (code: number, ...parts: (string | number)[]) =>
  `01${count(code)}${parts.map((part) => (typeof part === 'string' ? part : double(part))).join('')}`
const hexOf = (bytes: number, write: (buffer: Buffer) => void) => {
  const buffer = Buffer.alloc(bytes)
  write(buffer)
  return buffer.toString('hex')
}
const count = (value: number) => hexOf(4, (buffer) => buffer.writeUInt32LE(value))
const double = (value: number) => hexOf(8, (buffer) => buffer.writeDoubleLE(value))
const binaryRing = [0, 0, 1, 0, 1, 1, 0, 0]
const binaryPolygon = binary(3, count(1), count(4), ...binaryRing)

it.each([
  ['GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 0)), POINT (0.5 0.5))', [polygon, label]],
  [`geometrycollection(point(0.5 0.5),polygon((${ring})))`, [label, polygon]],
  ['GEOMETRYCOLLECTION Z (POINT Z (0.5 0.5 7))', [{ type: 'Point', coordinates: [0.5, 0.5, 7] }]],
  ['GEOMETRYCOLLECTION (POLYGON EMPTY, POINT (0.5 0.5))', [{ type: 'Polygon', coordinates: [] }, label]],
  [binary(7, count(2), binaryPolygon, binary(1, 0.5, 0.5)), [polygon, label]],
])('reads the collection %s', (value, geometries) => {
  expect(shapeNotationOf(value)).toBeDefined()
  expect(readShapeOf(value)).toEqual({ type: 'GeometryCollection', geometries })
})

it.each([
  [`POLYGON Z ((${ring.replaceAll(',', ' 5,')} 5))`, 3],
  [`polygonm((${ring.replaceAll(',', ' 5,')} 5))`, 3],
  [`  Polygon  ZM  ( ( ${ring.replaceAll(',', ' 5 6 ,')} 5 6 ) )  `, 4],
])('reads the dimensions of %s', (value, size) => {
  const { coordinates } = readShapeOf(value) as { coordinates: number[][][] }
  expect(coordinates.map((ring) => ring.map((position) => position.slice(0, 2)))).toEqual(
    polygon?.coordinates,
  )
  expect(coordinates[0]?.[0]).toHaveLength(size)
})

const emptyShapes = geometryTypes.flatMap((type, index) => [
  [`${type.toUpperCase()} EMPTY`],
  [`SRID=4326; ${type} zm empty`],
  [index === 0 ? binary(1, Number.NaN, Number.NaN) : binary(index + 1, count(0))],
  [JSON.stringify(type === 'GeometryCollection' ? { type, geometries: [] } : { type, coordinates: [] })],
])

it.each(emptyShapes)('reads %s as an empty shape', (value) => {
  expect(shapeNotationOf(value)).toBeDefined()
  const shape = readShapeOf(value)
  expect(shape).toBeDefined()
  expect(isEmptyShape(shape)).toBe(true)
})

it.each(unreadTypes)('rejects the type %s by its name', (type) => {
  expect(() => readGeometry(readShapeOf(`${type} ((1 2, 3 4, 5 6))`))).toThrow(
    `its geometry type "${type}" is not one of`,
  )
})

it.each([
  ['SRID=3857;POINT(1 2)', 3857],
  ['srid = 2249 ; point(1 2)', 2249],
  ['SRID=900913;POINT(1 2)', 3857],
  ['SRID=4326;POINT(1 2)', undefined],
  ['POINT(1 2)', undefined],
  [binary(0x20000001, count(2249), 1, 2), 2249],
  [JSON.stringify({ ...point, crs: { type: 'name', properties: { name: 'EPSG:2249' } } }), 2249],
])('returns the projection that %s names', (value, number) => {
  expect(projectionNamedBy(readShapeOf(value))).toBe(number)
})

it.each([
  ['GeoJSON', `{"type":"Polygon","coordinates":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['well-known text', `POLYGON ${'('.repeat(100_000)}1 2${')'.repeat(100_000)}`],
  ['collections', `${'GEOMETRYCOLLECTION('.repeat(10_000)}POINT (1 2)${')'.repeat(10_000)}`],
  ['digits', `POLYGON (((${'1'.repeat(1_000_000)})))`],
  ['space', `POINT${' '.repeat(1_000_000)}x`],
])('rejects hostile %s in bounded time', (_, value) => {
  const start = threadTime()
  expect(() => readGeometry(readShapeOf(value))).toThrow(Refusal)
  expect(threadTime() - start).toBeLessThan(1_000)
})

it('reads a polygon in well-known binary, with elevations', () => {
  const positions = [0, 0, 9, 1, 0, 9, 1, 1, 9, 0, 0, 9]
  expect(readShapeOf(binary(1003, count(1), count(4), ...positions))).toEqual(polygon)
})

it.each([
  'Elm Street',
  'https://example.com/photos/1',
  'https://goo.gl/AbCdEf',
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
  'does not read the bytes %s',
  (value) => {
    expect(readShapeOf(value)).toBeUndefined()
  },
)
