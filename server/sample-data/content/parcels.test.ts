import * as polyclip from 'polyclip-ts'
import { describe, expect, test } from 'vitest'
import { defaultClientLocation } from '#domain/clients/reserved-maps.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { startOfDay } from '../calendar.ts'
import { isInsideRing, meetingShare, type Point, ringArea } from '../land/plane.ts'
import { squareMetersPerAcre } from '../land/survey.ts'
import { samplePlans } from '../plans/sample-plans.ts'
import { sampleSite } from './sample-association.ts'

const today = startOfDay(new Date('2026-11-21T05:00:00Z'))
const sites = samplePlans.map((plan) => sampleSite(plan, today))

type Ring = Position[]
const asPolygon = (ring: Ring): polyclip.Geom => [[ring.map(([lng, lat]): [number, number] => [lng, lat])]]
const ringOf = (geometry: { type: string; coordinates: unknown }) =>
  (geometry.coordinates as Ring[])[0] as Ring

/** In square degrees, as polyclip sees it. */
function areaOf(polygons: readonly (readonly (readonly [number, number][])[])[]): number {
  const area = (ring: readonly [number, number][]) => Math.abs(ringArea(ring.slice(1)))
  return polygons.reduce(
    (sum, [outer = [], ...holes]) => sum + area(outer) - holes.reduce((all, hole) => all + area(hole), 0),
    0,
  )
}

function touches(one: Ring, other: Ring): boolean {
  return ([0, 1] as const).every((axis) => {
    const [a, b] = [one, other].map((ring) => ring.map((position) => position[axis])) as [number[], number[]]
    return Math.min(...a) <= Math.max(...b) && Math.min(...b) <= Math.max(...a)
  })
}

test('eight associations or more, each in a state of its own, one at the default location', () => {
  expect(sites.length).toBeGreaterThanOrEqual(8)
  expect(new Set(samplePlans.map((plan) => plan.location.split(', ')[1])).size).toBe(samplePlans.length)
  const atDefault = sites.filter(
    ({ plan }) =>
      plan.center.lat === defaultClientLocation.lat && plan.center.lng === defaultClientLocation.lng,
  )
  expect(atDefault).toHaveLength(1)
  expect(atDefault[0]?.land.outline && isInsideRing([0, 0], atDefault[0].land.outline)).toBe(true)
})

describe.each(sites.map((site) => ({ id: site.plan.id, site })))('parcels of $id', ({ site }) => {
  const { land, frame, parcels } = site
  const rings = parcels.map((parcel) => ringOf(parcel.feature.geometry))
  const corridors = land.corridors.map((ring) => frame.toRing(ring))
  const outline = frame.toRing(land.outline)

  test('are 20 to 60, of varied size', () => {
    expect(parcels.length).toBeGreaterThanOrEqual(20)
    expect(parcels.length).toBeLessThanOrEqual(60)
    const acres = parcels.map((parcel) => parcel.feature.area ?? 0).sort((one, other) => one - other)
    expect((acres.at(-2) ?? 0) / (acres[1] ?? 1)).toBeGreaterThan(3)
  })

  test('have closed rings that never cross themselves', () => {
    for (const ring of [...rings, ...corridors]) {
      expect(ring.at(-1)).toEqual(ring[0])
      expect(new Set(ring.map(String)).size).toBe(ring.length - 1)
      expect(crossingsOfRing(ring)).toEqual([])
    }
  })

  test('do not overlap', () => {
    for (const [index, ring] of rings.entries()) {
      for (const other of rings.slice(index + 1).filter((candidate) => touches(ring, candidate))) {
        expect(areaOf(polyclip.intersection(asPolygon(ring), asPolygon(other)))).toBeLessThan(1e-13)
      }
    }
  })

  test('cover the land together with the road corridors', () => {
    const sum = rings.reduce(
      (total, ring) => total + Math.abs(ringArea(ring.slice(1) as unknown as Point[])),
      0,
    )
    const [first, ...others] = rings.map(asPolygon) as [polyclip.Geom, ...polyclip.Geom[]]
    expect(areaOf(polyclip.union(first, ...others)) / sum).toBeCloseTo(1, 6)
    const roads = corridors.reduce(
      (total, ring) => total + Math.abs(ringArea(ring.slice(1) as unknown as Point[])),
      0,
    )
    const whole = Math.abs(ringArea(outline.slice(1) as unknown as Point[]))
    expect((sum + roads) / whole).toBeCloseTo(1, 9)
    expect(roads / whole).toBeGreaterThan(0.01)
  })

  test('share every border exactly: with a neighbour, a corridor or the outline', () => {
    const edges = [...rings, ...corridors].flatMap(edgeNames)
    expect(new Set(edges).size).toBe(edges.length)
    const known = new Set([...edges, ...edgeNames(outline.toReversed())])
    const alone = edges.filter((edge) => !known.has(edge.split(' ').reverse().join(' ')))
    expect(alone).toEqual([])
  })

  test('give their area in acres', () => {
    for (const [index, { ring, feature }] of parcels.entries()) {
      expect((feature.area ?? 0) / (ringArea(ring) / squareMetersPerAcre), `parcel ${index}`).toBeCloseTo(
        1,
        1,
      )
    }
  })

  test('lie on a road, and some are L-shaped', () => {
    expect(land.lots.filter((lot) => lot.road === null)).toEqual([])
    expect(parcels.filter(({ ring }) => isConcave(ring)).length).toBeGreaterThan(0)
  })
})

function edgeNames(ring: Ring): string[] {
  return ring.slice(1).map((to, index) => `${ring[index]} ${to}`)
}

function crossingsOfRing(ring: Ring): string[] {
  const edges = ring.slice(1).map((to, index) => [ring[index], to] as unknown as [Point, Point])
  return edges.flatMap(([from, to], index) =>
    edges.flatMap(([otherFrom, otherTo], other) => {
      const apart = Math.abs(index - other)
      if (apart < 2 || apart === edges.length - 1) return []
      return meetingShare(from, to, otherFrom, otherTo) === undefined
        ? []
        : [`${from} ${to} x ${otherFrom} ${otherTo}`]
    }),
  )
}

function isConcave(ring: readonly Point[]): boolean {
  return ring.some((point, index) => {
    const before = ring[(index + ring.length - 1) % ring.length] as Point
    const after = ring[(index + 1) % ring.length] as Point
    const turn =
      Math.atan2(after[1] - point[1], after[0] - point[0]) -
      Math.atan2(point[1] - before[1], point[0] - before[0])
    return Math.sin(turn) < -0.9
  })
}
