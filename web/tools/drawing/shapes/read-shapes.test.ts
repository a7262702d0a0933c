import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readShapes } from './read-shapes.ts'

const read = (value: unknown) => readShapes(JSON.stringify(value), randomUUID)
const feature = (type: string, coordinates: unknown, properties: object | null = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
})
const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
]

describe('readShapes', () => {
  it.each([
    ['Point', [1, 2], undefined, 'marker'],
    ['Point', [1, 2], 'circlemarker', 'circlemarker'],
    ['Point', [1, 2], 'polygon', 'marker'],
    ['LineString', ring.slice(0, 2), 'circle', 'polyline'],
    ['Polygon', [ring], undefined, 'polygon'],
    ['Polygon', [ring], 'rectangle', 'rectangle'],
    ['Polygon', [[...ring.slice(0, 3), [0, 0]]], 'rectangle', 'polygon'],
    [
      'Polygon',
      [
        [
          [0, 0],
          [2, 1],
          [1, 3],
          [-1, 2],
          [0, 0],
        ],
      ],
      'rectangle',
      'polygon',
    ],
    ['Polygon', [ring], 'circle', 'polygon'],
    ['Polygon', [ring], 'nonsense', 'polygon'],
  ])('a %s %j of kind %s is a %s', (type, coordinates, kind, expected) => {
    const [shape] = read(feature(type, coordinates, { kind, name: 'Mine' }))
    expect(shape?.properties).toEqual({ kind: expected, name: 'Mine' })
    expect(shape?.geometry).toEqual({ type, coordinates })
  })

  it('reads collections, bare geometries, and multi-part geometries', () => {
    const collection = {
      type: 'FeatureCollection',
      features: [
        feature('Point', [1, 2]),
        feature(
          'MultiPoint',
          [
            [1, 2],
            [3, 4],
          ],
          null,
        ),
      ],
    }
    expect(read(collection).map(({ geometry }) => geometry.coordinates)).toEqual([
      [1, 2],
      [1, 2],
      [3, 4],
    ])
    expect(read({ type: 'Point', coordinates: [1, 2, 300] })[0]?.geometry.coordinates).toEqual([1, 2])
    expect(new Set(read(collection).map(({ id }) => id)).size).toBe(3)
  })

  it('cuts shapes that continue beyond 180 degrees', () => {
    const wide = [
      [170, 0],
      [190, 0],
      [190, 5],
      [170, 5],
      [170, 0],
    ]
    const shapes = read(feature('Polygon', [wide], { kind: 'rectangle' }))
    expect(shapes.map(({ properties }) => properties.kind)).toEqual(['rectangle', 'rectangle'])
    const lngs = shapes.map(
      ({ geometry }) => new Set((geometry.coordinates[0] as number[][]).map(([lng]) => lng)),
    )
    expect(lngs).toEqual([new Set([170, 180]), new Set([-180, -170])])
    expect(read(feature('Point', [-190, 2]))[0]?.geometry.coordinates).toEqual([170, 2])
  })

  it('rounds to nine decimals', () => {
    expect(read(feature('Point', [1.12345678949, 2]))[0]?.geometry.coordinates).toEqual([1.123456789, 2])
  })

  it.each([
    [null, 'The file is not GeoJSON: it has no features.'],
    [7, 'The file is not GeoJSON: it has no features.'],
    [{ type: 'Topology' }, 'The file is not GeoJSON: it has no features.'],
    [{ type: 'FeatureCollection', features: [] }, 'The file has no features.'],
    [{ type: 'FeatureCollection', features: [null] }, 'it has no geometry.'],
    [{ type: 'Feature', geometry: null }, 'it has no geometry.'],
    [
      { type: 'Feature', geometry: { type: 'GeometryCollection', geometries: [] } },
      'GeometryCollection geometries are not supported.',
    ],
    [feature('Circle', [1, 2]), 'Circle geometries are not supported.'],
    [feature('Point', ['1', 2]), '["1",2] is not longitude and latitude.'],
    [feature('Point', [500_000, 4_000_000]), '[500000,4000000] is not longitude and latitude.'],
    [feature('Point', null), 'null is not longitude and latitude.'],
    [feature('Point', []), '[] is not longitude and latitude.'],
    [feature('LineString', [[0, 0]]), 'a line needs at least two points.'],
    [feature('LineString', {}), 'it has no coordinates.'],
    [feature('MultiPolygon', 7), 'it has no coordinates.'],
    [feature('Polygon', [ring, ring]), 'polygons with holes are not supported.'],
    [feature('Polygon', [ring.slice(0, 3)]), 'a polygon needs at least three points.'],
    [feature('Polygon', [ring.slice(0, 4)]), 'its ring is not closed.'],
    [
      feature('Polygon', [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      ]),
      'its edges cross.',
    ],
    [
      feature('LineString', [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ]),
      'its edges cross.',
    ],
  ])('refuses %j', (value, reason) => {
    expect(() => read(value)).toThrow(new Error(reason))
  })

  it('names the feature with the fault', () => {
    const features = [feature('Point', [1, 2]), feature('Point', [999, 2])]
    expect(() => read({ type: 'FeatureCollection', features })).toThrow(
      'Feature 2: [999,2] is not longitude and latitude.',
    )
  })

  it('refuses invalid JSON, and too many points', () => {
    expect(() => readShapes('PK\u0003', () => '')).toThrow('it is not valid JSON.')
    expect(() => readShapes('{"type": 1,\n  2}', () => '')).toThrow('valid JSON (line 2, column 3).')
    const points = Array.from({ length: 20_001 }, (_, index) => [index / 1_000, 0])
    expect(() => read(feature('MultiPoint', points))).toThrow('The file has more than 20,000 points.')
    expect(() => read(feature('LineString', points))).toThrow('it has more than 20,000 points.')
  })
})
