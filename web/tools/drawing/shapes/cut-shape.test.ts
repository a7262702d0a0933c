import fc from 'fast-check'
import type { Position } from 'geojson'
import { describe, expect, it } from 'vitest'
import { drawingGeometry } from '#domain/drawings/drawing.schema.ts'
import { areaSquareMeters } from '#domain/geometry/measure-acres.ts'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { hasCrossingEdges } from './crossing.ts'
import { cutAtDateLine } from './cut-shape.ts'
import { cornersOf, type DrawnGeometry, type DrawnShape } from './drawn-shape.ts'

const shapeOf = (kind: DrawingTool, geometry: DrawnGeometry): DrawnShape => ({
  type: 'Feature',
  id: 'first',
  properties: { kind, name: 'Mine' },
  geometry,
})
const polygon = (...corners: Position[]): DrawnGeometry => ({
  type: 'Polygon',
  coordinates: [[...corners, corners[0] as Position]],
})

describe('cutAtDateLine', () => {
  it('returns shapes that do not cross unchanged', () => {
    const shape = shapeOf('polygon', polygon([170, 0], [180, 0], [180, 5]))
    expect(cutAtDateLine(shape)).toEqual([shape])
  })

  it('moves shapes beyond 180 degrees back', () => {
    const [marker] = cutAtDateLine(shapeOf('marker', { type: 'Point', coordinates: [190.5, 1] }))
    expect(marker?.geometry.coordinates).toEqual([-169.5, 1])
    const [square, ...others] = cutAtDateLine(
      shapeOf('rectangle', polygon([-200, 0], [-190, 0], [-190, 5], [-200, 5])),
    )
    expect(others).toEqual([])
    expect(square).toMatchObject({ id: 'first', properties: { kind: 'rectangle', name: 'Mine' } })
    expect(
      square &&
        cornersOf(square.geometry)
          .map(([lng]) => lng)
          .sort(),
    ).toEqual([160, 160, 170, 170])
  })

  it('cuts a line at each crossing', () => {
    const path = [
      [179, 0],
      [181, 2],
      [179, 4],
    ]
    const pieces = cutAtDateLine(shapeOf('polyline', { type: 'LineString', coordinates: path }))
    expect(pieces.map(({ geometry }) => geometry.coordinates)).toEqual([
      [
        [179, 0],
        [180, 1],
      ],
      [
        [180, 3],
        [179, 4],
      ],
      [
        [-180, 1],
        [-179, 2],
        [-180, 3],
      ],
    ])
    expect(new Set(pieces.map(({ id }) => id)).size).toBe(3)
  })

  it('cuts polygons into valid shapes that cover the same land', () => {
    // A star around a place near the date line crosses it many times.
    const stars = fc.record({
      lng: fc.integer({ min: 176, max: 184 }),
      radii: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 4, maxLength: 24 }),
    })
    fc.assert(
      fc.property(stars, ({ lng, radii }) => {
        const corners = radii.map((radius, index): Position => {
          const angle = (index / radii.length) * 2 * Math.PI
          return [lng + radius * Math.cos(angle), 10 + radius * Math.sin(angle)]
        })
        fc.pre(!hasCrossingEdges(corners, true))
        const pieces = cutAtDateLine(shapeOf('circle', polygon(...corners)))
        for (const { geometry } of pieces) {
          expect(hasCrossingEdges(cornersOf(geometry), true)).toBe(false)
          if (pieces.length > 1) expect(drawingGeometry.safeParse(geometry).success).toBe(true)
        }
        const area = pieces.reduce((sum, { geometry }) => sum + areaSquareMeters(cornersOf(geometry)), 0)
        // Edges are straight on the map here and shortest lines there.
        expect(Math.abs(area / areaSquareMeters(corners) - 1)).toBeLessThan(0.02)
        if (pieces.length > 1)
          expect(new Set(pieces.map(({ properties }) => properties.kind))).toEqual(new Set(['polygon']))
      }),
      { numRuns: 100 },
    )
  })
})
