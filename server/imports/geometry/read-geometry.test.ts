import { describe, expect, it } from 'vitest'
import { readWkt } from '../formats/well-known-shapes.ts'
import { readGeometry } from './read-geometry.ts'

const wkt = (text: string) => readWkt(text)
const square = 'POLYGON ((10 42, 11 42, 11 43, 10 43, 10 42))'
const squareAt20 = 'POLYGON ((20 42, 21 42, 21 43, 20 43, 20 42))'
const point = (...coordinates: unknown[]) => ({ type: 'Point', coordinates })
const collection = (...geometries: unknown[]) => ({ type: 'GeometryCollection', geometries })
const noPlace = 'its location is longitude 0, latitude 0'
const farCorner = 'one of its corners is at longitude 0, latitude 0, far from the others'

function read(geometry: unknown) {
  const repairs = new Set<string>()
  return { geometry: readGeometry(geometry, undefined, (what) => repairs.add(what)), repairs: [...repairs] }
}

describe('readGeometry', () => {
  it.each([
    'POINT (-180 90)',
    'MULTIPOINT (1 2)',
    'LINESTRING (1 2, 1 2, 3 4)',
    'LINESTRING (0 0, 0.5 0.5)',
    'MULTILINESTRING ((1 2, 3 4))',
    square,
    'POLYGON ((10 42, 10 43, 11 43, 11 42, 10 42))',
    'POLYGON ((0 0, 0.1 0, 0.1 0.1, 0 0))',
    'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)))',
  ])('accepts %s unchanged', (text) => {
    expect(read(wkt(text))).toEqual({ geometry: wkt(text), repairs: [] })
  })

  it('reads numbers that are written as text, in either order', () => {
    expect(readGeometry(point('-95.88', ' 34.1 '))).toEqual(point(-95.88, 34.1))
    expect(readGeometry(point('34.1', -95.88), { isSwapped: true })).toEqual(point(-95.88, 34.1))
  })

  it('drops elevations and other members', () => {
    expect(readGeometry({ ...point(1, 2, 300, 4), bbox: [] })).toEqual(point(1, 2))
    expect(readGeometry(wkt('POLYGON Z ((0 0 1, 1 0 2, 1 1 3, 0 0 4))'))).toEqual(
      wkt('POLYGON ((0 0, 1 0, 1 1, 0 0))'),
    )
  })

  const beyond = (limit: number) => [`longitudes beyond ${limit} were shifted by 360 degrees`]
  const label = ['1 label point removed']
  it.each<[string, geometry: unknown, expected: string, repairs: string[]]>([
    ['a collection of one polygon', collection(wkt(square)), square, []],
    ['a polygon and its label', collection(wkt(square), wkt('POINT (10.5 42.5)')), square, label],
    ['a polygon and a label at 0, 0', collection(wkt(square), point(0, 0)), square, label],
    [
      'labels before a polygon',
      collection(point(10.5, 42.5), wkt('MULTIPOINT (1 2)'), wkt(square)),
      square,
      ['2 label points removed'],
    ],
    [
      'a line and its label',
      collection(wkt('LINESTRING (1 2, 3 4)'), point(1, 2)),
      'LINESTRING (1 2, 3 4)',
      ['1 label point removed'],
    ],
    [
      'single polygons and multiple ones',
      collection(wkt('POLYGON ((0 1, 1 0, 1 1, 0 1))'), wkt('MULTIPOLYGON (((0 2, 1 2, 1 3, 0 2)))')),
      'MULTIPOLYGON (((0 1, 1 0, 1 1, 0 1)), ((0 2, 1 2, 1 3, 0 2)))',
      [],
    ],
    ['points', collection(point(1, 2), point(3, 4)), 'MULTIPOINT (1 2, 3 4)', []],
    [
      'a nested collection',
      collection(collection(point(10.5, 42.5), collection(wkt(square))), wkt(squareAt20)),
      `MULTIPOLYGON (${square.slice(8)}, ${squareAt20.slice(8)})`,
      label,
    ],
    [
      'empty parts of a collection',
      collection(null, wkt('POLYGON EMPTY'), wkt(square), point()),
      square,
      ['3 empty parts removed'],
    ],
    [
      'an empty polygon among polygons',
      { type: 'MultiPolygon', coordinates: [[], wkt(square)?.coordinates, [[]]] },
      `MULTIPOLYGON (${square.slice(8)})`,
      ['2 empty parts removed'],
    ],
    [
      'an empty hole',
      wkt('POLYGON ((10 42, 11 42, 11 43, 10 43, 10 42), EMPTY)'),
      square,
      ['1 empty part removed'],
    ],
    [
      'a ring that is not closed',
      wkt('POLYGON ((10 42, 11 42, 11 43, 10 43))'),
      square,
      ['a ring was closed at 10, 42'],
    ],
    ['a longitude beyond 180', point(180.01, -16), 'POINT (-179.99 -16)', beyond(180)],
    ['a longitude beyond -180', point(-180.01, -16), 'POINT (179.99 -16)', beyond(-180)],
    ['longitudes from 0 to 360', point(288.9, 42), 'POINT (-71.1 42)', beyond(180)],
    ['the copy of the world west of a web map', point(-431.1, 42), 'POINT (-71.1 42)', beyond(-180)],
  ])('repairs %s', (_, geometry, expected, repairs) => {
    expect(read(geometry)).toEqual({ geometry: wkt(expected), repairs })
  })

  const mixed = collection(wkt(square), wkt('LINESTRING (1 2, 3 4)'))
  it.each<[geometry: unknown, reason: string]>([
    [null, 'it has no geometry'],
    ['POINT (1 2)', 'its geometry is "POINT (1 2)" instead of an object'],
    [
      { ...point(1, 2), type: 'point' },
      'its geometry type "point" is not one of Point, LineString, Polygon, MultiPoint, MultiLineString, MultiPolygon',
    ],
    [point(0, 0), noPlace],
    [point('0', '0.0', 12), noPlace],
    [wkt('MULTIPOINT (1 2, 0 0)'), noPlace],
    [wkt('LINESTRING (-71.09 42.39, 0 0, -71.09 42.391)'), farCorner],
    [wkt('POLYGON ((0 0, -71.08 42.39, -71.08 42.4, 0 0))'), farCorner],
    [wkt('MULTILINESTRING ((-71.09 42.39, -71.08 42.39), (0 0, 0.001 0))'), farCorner],
    [point(-1191414610, 34), 'longitude -1191414610 is not between -180 and 180'],
    [point(540.5, 42), 'longitude 540.5 is not between -180 and 180'],
    [point(34, -111), 'latitude -111 is not between -90 and 90'],
    [point(180.01, 91), 'latitude 91 is not between -90 and 90'],
    [point(1, '39,5'), 'latitude "39,5" is not a number'],
    [point(1, ''), 'latitude "" is not a number'],
    [point('0x10', 2), 'longitude "0x10" is not a number'],
    [point(null, 2), 'longitude null is not a number'],
    [point(1), 'position [1] is not a pair of longitude and latitude'],
    [{ type: 'MultiPoint', coordinates: [0, 0] }, 'position 0 is not a pair of longitude and latitude'],
    [{ type: 'Point' }, 'its geometry has no coordinates'],
    [wkt('LINESTRING (1 2)'), 'a line has fewer than 2 different positions'],
    [wkt('LINESTRING (1 2, 1 2)'), 'a line has fewer than 2 different positions'],
    [wkt('POLYGON EMPTY'), 'it has no geometry'],
    [{ type: 'Polygon', coordinates: [[]] }, 'it has no geometry'],
    [{ type: 'MultiPolygon', coordinates: [[], [[]]] }, 'it has no geometry'],
    [{ type: 'Polygon', coordinates: [[], [[1, 2]]] }, 'a polygon has no ring'],
    [{ type: 'Polygon', coordinates: [5] }, 'a ring is 5 instead of a list'],
    [wkt('POLYGON ((0 0, 1 0, 0 0))'), 'a ring has 3 positions; it needs at least 4'],
    [
      wkt('POLYGON ((10 42, 11 42, 10 42, 11 42))'),
      'a ring is not closed and has fewer than 3 different corners',
    ],
    [collection(), 'it has no geometry'],
    [{ type: 'GeometryCollection' }, 'it has no geometry'],
    [collection({ type: 'Polygon', coordinates: [[]] }, collection()), 'it has no geometry'],
    [mixed, 'a GeometryCollection of polygons and lines; split it into features of one type'],
    [collection(wkt(square), { ...point(1, 2), type: 'Circle' }), 'has a part of type "Circle"'],
    [collection(wkt(square), 5), 'its geometry is 5 instead of an object'],
  ])('rejects %j: %s', (geometry, reason) => {
    expect(() => read(geometry)).toThrow(reason)
  })

  it('rejects more vertices than a feature may have', () => {
    const coordinates = Array.from({ length: 100_001 }, (_, index) => [0, index / 1e6])
    expect(() => readGeometry({ type: 'LineString', coordinates })).toThrow(
      'its geometry has more than 100000 vertices',
    )
  })

  it('rejects a far corner at 0, 0 in a projection whose grid begins elsewhere', () => {
    const projection = {
      code: 'EPSG:2223',
      toDegrees: (x: number, y: number): [number, number] => [x / 1e6 - 114, y / 1e6 + 31],
      fromDegrees: () => [0, 0] as [number, number],
    }
    const inFeet = wkt('LINESTRING (600000 1200000, 0 0)')
    expect(() => readGeometry(inFeet, { isSwapped: false, projection })).toThrow(farCorner)
  })
})
