import { describe, expect, it } from 'vitest'
import { readGeometry } from './read-geometry.ts'

const square = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
]

describe('readGeometry', () => {
  it.each([
    { type: 'Point', coordinates: [0, 0] },
    { type: 'Point', coordinates: ['0', '0.0', 12] },
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [0, 0],
      ],
    },
  ])('refuses the place that files put for none: %j', (geometry) => {
    expect(() => readGeometry(geometry)).toThrow('longitude 0 and latitude 0 are no real place')
  })

  it.each([
    { type: 'Point', coordinates: [-180, 90] },
    { type: 'MultiPoint', coordinates: [[1, 2]] },
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [1, 2],
        [3, 4],
      ],
    },
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    },
    { type: 'Polygon', coordinates: [square] },
    { type: 'MultiPolygon', coordinates: [[square]] },
  ])('accepts %j as it is', (geometry) => {
    expect(readGeometry(geometry)).toEqual(geometry)
  })

  it('takes numbers that are written as text, and either order', () => {
    const point = { type: 'Point', coordinates: [-95.88, 34.1] }
    expect(readGeometry({ type: 'Point', coordinates: ['-95.88', ' 34.1 '] })).toEqual(point)
    expect(readGeometry({ type: 'Point', coordinates: ['34.1', -95.88] }, { isSwapped: true })).toEqual(point)
  })

  it('drops elevations, and whatever else a position or geometry carries', () => {
    expect(readGeometry({ type: 'Point', coordinates: [1, 2, 300, 4], bbox: [] })).toEqual({
      type: 'Point',
      coordinates: [1, 2],
    })
    const ring = square.map(([x, y], index) => [x, y, index])
    expect(readGeometry({ type: 'Polygon', coordinates: [ring] })).toEqual({
      type: 'Polygon',
      coordinates: [square],
    })
  })

  it.each([
    [null, 'it has no geometry'],
    ['POINT (1 2)', 'its geometry is "POINT (1 2)" instead of an object'],
    [
      { type: 'point', coordinates: [1, 2] },
      'its geometry type "point" is none of Point, LineString, Polygon, MultiPoint, MultiLineString, MultiPolygon',
    ],
    [{ type: 'Point', coordinates: [-1191414610, 34] }, 'longitude -1191414610 is not between -180 and 180'],
    [{ type: 'Point', coordinates: [34, -111] }, 'latitude -111 is not between -90 and 90'],
    [{ type: 'Point', coordinates: [1, '39,5'] }, 'latitude "39,5" is not a number'],
    [{ type: 'Point', coordinates: [1, ''] }, 'latitude "" is not a number'],
    [{ type: 'Point', coordinates: ['0x10', 2] }, 'longitude "0x10" is not a number'],
    [{ type: 'Point', coordinates: [null, 2] }, 'longitude null is not a number'],
    [{ type: 'Point', coordinates: [1] }, 'position [1] is no pair of longitude and latitude'],
    [{ type: 'Point' }, 'its geometry has no coordinates'],
    [{ type: 'MultiPoint', coordinates: [] }, 'it has no geometry'],
    [{ type: 'MultiPoint', coordinates: [0, 0] }, 'position 0 is no pair of longitude and latitude'],
    [{ type: 'MultiPoint' }, 'its geometry has no coordinates'],
    [{ type: 'LineString', coordinates: [[1, 2]] }, 'a line has fewer than 2 different positions'],
    [
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [1, 2],
        ],
      },
      'a line has fewer than 2 different positions',
    ],
    [{ type: 'Polygon', coordinates: [] }, 'it has no geometry'],
    [{ type: 'Polygon', coordinates: [5] }, 'a ring is 5 instead of a list'],
    [
      { type: 'Polygon', coordinates: [[...square.slice(0, 2), [0, 0]]] },
      'a ring has 3 positions; it needs at least 4',
    ],
  ])('refuses %j: %s', (geometry, reason) => {
    expect(() => readGeometry(geometry)).toThrow(reason)
  })

  it('refuses more vertices than a feature may have', () => {
    const coordinates = Array.from({ length: 100_001 }, (_, index) => [0, index / 1e6])
    expect(() => readGeometry({ type: 'LineString', coordinates })).toThrow(
      'its geometry has more than 100000 vertices',
    )
  })
})

describe('a corner at 0, 0', () => {
  const line = (...coordinates: number[][]) => ({ type: 'LineString', coordinates })
  const ring = (...corners: number[][]) => ({ type: 'Polygon', coordinates: [[...corners, corners[0]]] })
  const far = 'one of its corners is at longitude 0 and latitude 0, far from the others'

  it.each([
    line([-71.09, 42.39], [0, 0], [-71.09, 42.391]),
    ring([0, 0], [-71.08, 42.39], [-71.08, 42.4]),
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [-71.09, 42.39],
          [-71.08, 42.39],
        ],
        [
          [0, 0],
          [0.001, 0],
        ],
      ],
    },
  ])('is refused in %j', (geometry) => {
    expect(() => readGeometry(geometry)).toThrow(far)
  })

  it('is refused in a projection whose grid begins elsewhere', () => {
    const projection = {
      code: 'EPSG:2223',
      toDegrees: (x: number, y: number): [number, number] => [x / 1e6 - 114, y / 1e6 + 31],
      fromDegrees: () => [0, 0] as [number, number],
    }
    const inFeet = line([600_000, 1_200_000], [0, 0])
    expect(() => readGeometry(inFeet, { isSwapped: false, projection })).toThrow(far)
  })

  it.each([line([0, 0], [0.5, 0.5]), ring([0, 0], [0.1, 0], [0.1, 0.1])])('is a place in %j', (geometry) => {
    expect(readGeometry(geometry)).toEqual(geometry)
  })
})
