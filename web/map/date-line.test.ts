import type { Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { describe, expect, it } from 'vitest'
import world from 'world-atlas/land-50m.json' with { type: 'json' }
import { withoutLeaps } from './date-line.ts'

const leapsOf = (polygons: readonly Position[][][]) =>
  polygons.flat().flatMap((ring) =>
    ring.slice(1).filter(([lng = 0, lat = 0], index) => {
      const [before = 0] = ring[index] ?? []
      // The map ends before the poles.
      return Math.abs(lng - before) > 180 && Math.abs(lat) < 85.06
    }),
  )

describe('withoutLeaps', () => {
  it('cuts every coast that jumps across the world', () => {
    const topology = world as unknown as Topology
    const land = feature(topology, topology.objects.land as GeometryCollection).features
    const polygons = land.flatMap(({ geometry }) =>
      geometry.type === 'MultiPolygon' ? geometry.coordinates : [],
    )
    expect(leapsOf(polygons).length).toBeGreaterThan(0)
    const pieces = polygons.flatMap(withoutLeaps)
    expect(leapsOf(pieces)).toEqual([])
    for (const [lng = 0] of pieces.flat(2)) expect(Math.abs(lng)).toBeLessThanOrEqual(180)
  })

  it('keeps shapes that do not cross the line', () => {
    const square = [
      [10, 0],
      [20, 0],
      [20, 10],
      [10, 10],
      [10, 0],
    ]
    const [piece, ...others] = withoutLeaps([square])
    expect(others).toEqual([])
    expect(new Set(piece?.[0]?.map(String))).toEqual(new Set(square.map(String)))
  })

  it('returns a piece on each side of the line, with its hole', () => {
    const ring = (west: number, east: number, size: number) => [
      [west, -size],
      [east, -size],
      [east, size],
      [west, size],
      [west, -size],
    ]
    const pieces = withoutLeaps([ring(170, -170, 5), ring(-178, -174, 1)])
    expect(pieces.map((rings) => rings.length)).toEqual([1, 2])
    expect(pieces.map(([outer]) => [...new Set(outer?.map(([lng]) => lng))].sort())).toEqual([
      [170, 180],
      [-170, -180],
    ])
  })
})
