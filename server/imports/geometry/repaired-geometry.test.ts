import { describe, expect, it } from 'vitest'
import { readGeometry } from './read-geometry.ts'

// Geometries that are not as RFC 7946 requires, but can be read, and the repair that is reported.

type Position = [number, number]
const square = (west: number, south = 42): Position[] => [
  [west, south],
  [west + 1, south],
  [west + 1, south + 1],
  [west, south + 1],
  [west, south],
]
const polygon = { type: 'Polygon', coordinates: [square(10)] }
const other = { type: 'Polygon', coordinates: [square(20)] }
const two = { type: 'MultiPolygon', coordinates: [[square(20)], [square(30)]] }
const line = {
  type: 'LineString',
  coordinates: [
    [10, 42],
    [11, 43],
  ],
}
const label = { type: 'Point', coordinates: [10.5, 42.5] }
const collection = (...geometries: unknown[]) => ({ type: 'GeometryCollection', geometries })

function read(geometry: unknown) {
  const repairs = new Set<string>()
  return { geometry: readGeometry(geometry, undefined, (what) => repairs.add(what)), repairs: [...repairs] }
}

describe('a geometry that needs a repair', () => {
  it.each<[title: string, unknown, expected: unknown, repairs: string[]]>([
    ['a collection of one polygon', collection(polygon), polygon, []],
    [
      'a polygon and its label',
      collection(polygon, label),
      polygon,
      ['a label point beside its polygon was left out'],
    ],
    [
      'labels before a polygon',
      collection(label, { type: 'MultiPoint', coordinates: [[1, 2]] }, polygon),
      polygon,
      ['2 label points beside its polygon were left out'],
    ],
    [
      'a label without a place',
      collection(polygon, { type: 'Point', coordinates: [0, 0] }),
      polygon,
      ['a label point beside its polygon was left out'],
    ],
    ['a line and its label', collection(line, label), line, ['a label point beside its line was left out']],
    [
      'polygons one by one and together',
      collection(polygon, two),
      { type: 'MultiPolygon', coordinates: [[square(10)], [square(20)], [square(30)]] },
      [],
    ],
    [
      'lines',
      collection(line, line),
      { type: 'MultiLineString', coordinates: [line.coordinates, line.coordinates] },
      [],
    ],
    [
      'points',
      collection(label, label),
      { type: 'MultiPoint', coordinates: [label.coordinates, label.coordinates] },
      [],
    ],
    [
      'a collection in a collection',
      collection(collection(label, collection(polygon)), other),
      { type: 'MultiPolygon', coordinates: [[square(10)], [square(20)]] },
      ['a label point beside its polygon was left out'],
    ],
    [
      'empty parts of a collection',
      collection(null, { type: 'Polygon', coordinates: [] }, polygon, { type: 'Point', coordinates: [] }),
      polygon,
      ['3 empty parts were left out'],
    ],
    [
      'an empty polygon among polygons',
      { type: 'MultiPolygon', coordinates: [[], [square(10)], [[]]] },
      { type: 'MultiPolygon', coordinates: [[square(10)]] },
      ['2 empty parts were left out'],
    ],
    [
      'an empty hole',
      { type: 'Polygon', coordinates: [square(10), []] },
      polygon,
      ['an empty part was left out'],
    ],
    [
      'a ring that is not closed',
      { type: 'Polygon', coordinates: [square(10).slice(0, 4)] },
      polygon,
      ['a ring was not closed: it was closed at 10, 42'],
    ],
    [
      'a triangle that is not closed',
      { type: 'Polygon', coordinates: [square(10).slice(0, 3)] },
      { type: 'Polygon', coordinates: [[...square(10).slice(0, 3), [10, 42]]] },
      ['a ring was not closed: it was closed at 10, 42'],
    ],
    [
      'a longitude beyond 180',
      { type: 'Point', coordinates: [180.01, -16] },
      { type: 'Point', coordinates: [-179.99, -16] },
      ['longitudes beyond 180 were turned by 360 degrees'],
    ],
    [
      'a longitude beyond -180',
      { type: 'Point', coordinates: [-180.01, -16] },
      { type: 'Point', coordinates: [179.99, -16] },
      ['longitudes beyond -180 were turned by 360 degrees'],
    ],
    [
      'longitudes from 0 to 360',
      { type: 'Point', coordinates: [288.9, 42] },
      { type: 'Point', coordinates: [-71.1, 42] },
      ['longitudes beyond 180 were turned by 360 degrees'],
    ],
    [
      'the copy of the world west of a web map',
      { type: 'Point', coordinates: [-431.1, 42] },
      { type: 'Point', coordinates: [-71.1, 42] },
      ['longitudes beyond -180 were turned by 360 degrees'],
    ],
  ])('is read: %s', (_, geometry, expected, repairs) => {
    expect(read(geometry)).toEqual({ geometry: expected, repairs })
  })

  it('keeps the direction of rings, which means nothing to us', () => {
    const reversed = { type: 'Polygon', coordinates: [square(10).reverse()] }
    expect(read(reversed)).toEqual({ geometry: reversed, repairs: [] })
  })

  it.each([
    [collection(), 'it has no geometry'],
    [{ type: 'GeometryCollection' }, 'it has no geometry'],
    [collection({ type: 'Polygon', coordinates: [[]] }, collection()), 'it has no geometry'],
    [
      collection(polygon, line),
      'a GeometryCollection of polygons and lines; divide it into features of one kind',
    ],
    [collection(polygon, { type: 'Circle', coordinates: [1, 2] }), 'has a part of the type "Circle"'],
    [collection(polygon, 5), 'its geometry is 5 instead of an object'],
    [{ type: 'MultiPolygon', coordinates: [[], [[]]] }, 'it has no geometry'],
    [{ type: 'Polygon', coordinates: [[]] }, 'it has no geometry'],
    [{ type: 'Polygon', coordinates: [[], square(10)] }, 'a polygon has no ring'],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [10, 42],
            [11, 42],
            [10, 42],
            [11, 42],
          ],
        ],
      },
      'a ring is not closed, and has fewer than 3 different corners',
    ],
    [{ type: 'Point', coordinates: [540.5, 42] }, 'longitude 540.5 is not between -180 and 180'],
    [{ type: 'Point', coordinates: [180.01, 91] }, 'latitude 91 is not between -90 and 90'],
  ])('is refused where nothing can be read: %j: %s', (geometry, reason) => {
    expect(() => read(geometry)).toThrow(reason)
  })
})
