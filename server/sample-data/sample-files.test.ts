import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import geographiclib from 'geographiclib-geodesic'
import * as polyclip from 'polyclip-ts'
import { describe, expect, test } from 'vitest'
import { assetDefinition } from '#domain/assets/asset.definition.ts'
import { client } from '#domain/clients/client.schema.ts'
import { defaultClientLocation } from '#domain/clients/reserved-maps.ts'
import { newFeature } from '#domain/features/feature.schema.ts'
import { sinceOfTimeRange, type TimeRange } from '#domain/features/filters.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { partsOfGeometry, shapeOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { listDescriptionLength } from '#domain/values/text.ts'
import { projectFolder } from '#test/server/processes.ts'
import { readSampleMaps } from './seed-sample-data.ts'

const assetTypes = ['water', 'electrical', 'road', 'residence', 'facility', 'recreation', 'communication']
const incidentTypes = ['fire', 'flood', 'fallen_tree', 'other']
const operationalStatuses = ['operational', 'maintenance', 'offline']
const severities = ['high', 'medium', 'low', null]

const now = new Date('2026-11-21T05:00:00Z')
const maps = await readSampleMaps(now)
const clients = maps.flatMap(({ client, features }) => (client ? [{ id: client.id, client, features }] : []))

function isInsideRing([x, y]: Position, ring: readonly Position[]): boolean {
  let isInside = false
  for (const [index, [toX, toY]] of ring.entries()) {
    const [fromX, fromY] = ring.at(index - 1) as Position
    if (toY > y !== fromY > y && x < ((fromX - toX) * (y - toY)) / (fromY - toY) + toX) isInside = !isInside
  }
  return isInside
}

test('eight or more associations, each in a different state, one at the default location', () => {
  expect(clients.length).toBeGreaterThanOrEqual(8)
  expect(new Set(clients.map(({ client }) => client.location.split(', ')[1])).size).toBe(clients.length)
  const { lat, lng } = defaultClientLocation
  const around = clients.filter(({ features }) =>
    features.some(
      ({ kind, geometry }) =>
        kind === 'parcel' && isInsideRing([lng, lat], partsOfGeometry(geometry)[0]?.slice(1) ?? []),
    ),
  )
  expect(around.map(({ id }) => id)).toEqual(['pine-ridge'])
})

test('every feature and client is valid, and ids are unique on a map', () => {
  for (const { mapId, features } of maps) {
    for (const feature of features) {
      const parsed = newFeature.safeParse(feature)
      expect(parsed.error, `${mapId} ${feature.id}`).toBeUndefined()
      expect(parsed.data, 'nothing that the schema does not know').toEqual(feature)
      expect(feature.mapId).toBe(mapId)
    }
    expect(new Set(features.map((feature) => feature.id)).size).toBe(features.length)
  }
  for (const { client: sample } of clients) {
    const answer = { ...sample, properties: 1, lastUpdated: now.toISOString(), archivedAt: null, version: 1 }
    expect(client.omit({ attention: true }).safeParse(answer).error).toBeUndefined()
  }
})

test('the same day gives the same bytes, another day changes only dates', async () => {
  const sameDay = await readSampleMaps(new Date('2026-11-21T23:59:59.999Z'))
  expect(JSON.stringify(sameDay)).toBe(JSON.stringify(maps))
  const later = await readSampleMaps(new Date('2026-12-24T00:00:00Z'))
  expect(later).not.toEqual(maps)
  const places = (of: typeof maps) =>
    of.flatMap(({ features }) => features.map(({ id, geometry }) => ({ id, geometry })))
  expect(places(later)).toEqual(places(maps))
})

describe.each(clients)('$id', ({ features }) => {
  const parcels = features.filter((feature) => feature.kind === 'parcel')
  const assets = features.filter((feature) => feature.kind === 'asset')
  const incidents = features.filter((feature) => feature.kind === 'incident')
  const seen = <Value>(values: readonly Value[]) => new Set<unknown>(values)
  const pins = [...incidents, ...assets].filter((feature) => feature.geometry.type === 'Point')

  test('has enough assets of every type, status and shape', () => {
    expect(assets.length).toBeGreaterThanOrEqual(25)
    expect(assets.length).toBeLessThanOrEqual(60)
    expect(seen(assets.map((asset) => asset.type))).toEqual(seen(assetTypes))
    const points = assets.filter((asset) => asset.geometry.type === 'Point')
    expect(seen(points.map((asset) => asset.type))).toEqual(seen(assetTypes))
    expect(seen(assets.map((asset) => asset.status))).toEqual(seen(operationalStatuses))
    const geometries = seen(assets.map((asset) => asset.geometry.type))
    for (const type of ['Point', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'])
      expect(geometries).toContain(type)
    const lines = assets.filter((asset) => shapeOfGeometry(asset.geometry) === 'line')
    expect(seen(lines.map((asset) => asset.type))).toEqual(
      seen(['road', 'water', 'electrical', 'communication']),
    )
  })

  test('sorts maintenance newest first, after the installation and not in the future', () => {
    const { shown } = assetDefinition.fields.maintenanceHistory.value
    expect(assets.some((asset) => asset.maintenanceHistory.length > shown)).toBe(true)
    for (const { installDate, lastMaintenance, maintenanceHistory } of assets) {
      const days = maintenanceHistory.map((entry) => entry.date)
      expect(days).toEqual(days.toSorted().reverse())
      expect(lastMaintenance).toBe(days[0] ?? null)
      for (const day of days) {
        expect(day <= '2026-11-21').toBe(true)
        expect(!installDate || day >= installDate).toBe(true)
      }
    }
  })

  test('has enough incidents of every type, severity and state', () => {
    expect(incidents.length).toBeGreaterThanOrEqual(12)
    expect(incidents.length).toBeLessThanOrEqual(30)
    expect(seen(incidents.map((incident) => incident.type))).toEqual(seen(incidentTypes))
    expect(seen(incidents.map((incident) => incident.severity))).toEqual(seen(severities))
    expect(seen(incidents.map((incident) => incident.resolved))).toEqual(seen([true, false]))
    expect(incidents.some((incident) => incident.description.length > listDescriptionLength)).toBe(true)
    expect(incidents.every((incident) => incident.reportedBy)).toBe(true)
  })

  test('resolves incidents after they happened, and has no future dates', () => {
    for (const { date, resolved, resolvedDate } of incidents) {
      expect((date ?? '') < now.toISOString()).toBe(true)
      expect(resolvedDate !== null).toBe(resolved)
      if (resolvedDate) expect((date ?? '') < resolvedDate && resolvedDate <= now.toISOString()).toBe(true)
    }
  })

  test('shows more incidents in every wider time range', () => {
    const counts = (['week', 'month', 'year', 'all'] as TimeRange[]).map((range) => {
      const since = sinceOfTimeRange(range, now.getTime(), 'UTC')
      return incidents.filter(({ date }) => !since || Date.parse(date ?? '') >= Date.parse(since)).length
    })
    const [week = 0, month = 0, year = 0, all = 0] = counts
    expect(week).toBeGreaterThan(0)
    expect([month > week, year > month, all > year]).toEqual([true, true, true])
  })

  test('puts a pin on its parcel, and sets no parcel for a pin outside of all', () => {
    for (const { id, geometry, parcelId } of pins) {
      const place = partsOfGeometry(geometry)[0]?.[0] as Position
      const around = parcels.filter((parcel) =>
        isInsideRing(place, partsOfGeometry(parcel.geometry)[0]?.slice(1) ?? []),
      )
      expect(
        around.map((parcel) => parcel.id),
        id,
      ).toEqual(parcelId ? [parcelId] : [])
    }
  })

  test('keeps assets with an area inside their parcel', () => {
    const areas = assets.filter((asset) => shapeOfGeometry(asset.geometry) === 'polygon')
    expect(areas.length).toBeGreaterThanOrEqual(5)
    for (const { id, geometry, parcelId } of areas) {
      const parcel = parcels.find((other) => other.id === parcelId)
      const ring = parcel && (partsOfGeometry(parcel.geometry)[0]?.slice(1) ?? [])
      for (const place of partsOfGeometry(geometry).flat()) {
        expect(ring && isInsideRing(place as Position, ring), id).toBe(true)
      }
    }
  })

  test('puts single assets beside the pond, the field and the buildings', () => {
    const areas = assets.filter((asset) => shapeOfGeometry(asset.geometry) === 'polygon')
    const rings = areas.flatMap((area) => partsOfGeometry(area.geometry))
    for (const { id, geometry } of assets.filter((asset) => asset.geometry.type === 'Point')) {
      const place = partsOfGeometry(geometry)[0]?.[0] as Position
      expect(
        rings.some((ring) => isInsideRing(place, ring)),
        id,
      ).toBe(false)
    }
  })

  test('repeats no text in one record', () => {
    const titles = incidents.map((incident) => incident.title)
    expect(new Set(titles).size).toBe(titles.length)
    const names = [...assets, ...parcels].map((feature) => feature.name)
    expect(new Set(names).size).toBe(names.length)
    const texts = [...assets, ...incidents].map((feature) => feature.description)
    expect(texts.length - new Set(texts).size).toBeLessThanOrEqual(1)
  })
})

describe.each(clients)('parcels of $id', ({ features }) => {
  const parcels = features.filter((feature) => feature.kind === 'parcel')
  const rings = parcels.map(({ geometry }) => (geometry.coordinates as Position[][])[0] as Position[])

  test('are 20 to 60, of varied size', () => {
    expect(parcels.length).toBeGreaterThanOrEqual(20)
    expect(parcels.length).toBeLessThanOrEqual(60)
    const acres = parcels.map(({ area }) => area ?? 0).sort((one, other) => one - other)
    expect((acres.at(-2) ?? 0) / (acres[1] ?? 1)).toBeGreaterThan(3)
  })

  test('have closed rings without self-intersections', () => {
    for (const ring of rings) {
      expect(ring.at(-1)).toEqual(ring[0])
      expect(new Set(ring.map(String)).size).toBe(ring.length - 1)
    }
  })

  test('do not overlap, and share their borders exactly', () => {
    for (const [index, ring] of rings.entries())
      for (const other of rings.slice(index + 1).filter((candidate) => touches(ring, candidate)))
        expect(areaOf(polyclip.intersection(asPolygon(ring), asPolygon(other)))).toBeLessThan(1e-13)
    const edges = rings.flatMap((ring) => ring.slice(1).map((to, index) => `${ring[index]} ${to}`))
    expect(new Set(edges).size).toBe(edges.length)
    const knownTypes = new Set(edges)
    const shared = edges.filter((edge) => knownTypes.has(edge.split(' ').reverse().join(' ')))
    expect(shared.length).toBeGreaterThan(edges.length / 4)
  })

  test('have their area in acres, and some are L-shaped', () => {
    for (const { id, area, geometry } of parcels)
      expect((area ?? 0) / (measureAcres(geometry) ?? 0), id).toBeCloseTo(1, 1)
    expect(rings.some(isConcave)).toBe(true)
  })
})

const asPolygon = (ring: Position[]): polyclip.Geom => [
  [ring.map(([lng, lat]): [number, number] => [lng, lat])],
]

const turnedArea = (ring: readonly Position[]) =>
  ring.reduce((sum, [x, y], index) => {
    const [fromX, fromY] = ring.at(index - 1) as Position
    return sum + (fromX * y - x * fromY)
  }, 0)

function areaOf(polygons: readonly (readonly (readonly [number, number][])[])[]): number {
  const area = (ring: readonly [number, number][]) => Math.abs(turnedArea(ring)) / 2
  return polygons.reduce(
    (sum, [outer = [], ...holes]) => sum + area(outer) - holes.reduce((all, hole) => all + area(hole), 0),
    0,
  )
}

function touches(one: Position[], other: Position[]): boolean {
  return ([0, 1] as const).every((axis) => {
    const [a, b] = [one, other].map((ring) => ring.map((position) => position[axis])) as [number[], number[]]
    return Math.min(...a) <= Math.max(...b) && Math.min(...b) <= Math.max(...a)
  })
}

function isConcave(ring: readonly Position[]): boolean {
  const shrink = Math.cos(((ring[0] as Position)[1] * Math.PI) / 180)
  const corners = ring.slice(1).map(([lng, lat]): Position => [lng * shrink, lat])
  return corners.some((corner, index) => {
    const before = corners.at(index - 1) as Position
    const after = corners[(index + 1) % corners.length] as Position
    const turn =
      Math.atan2(after[1] - corner[1], after[0] - corner[0]) -
      Math.atan2(corner[1] - before[1], corner[0] - before[0])
    return Math.sin(turn) < -0.9
  })
}

describe('the features of `sample`', () => {
  const features = (maps.find(({ mapId }) => mapId === 'sample')?.features ?? []).filter(
    (feature) => feature.kind === 'feature',
  )
  const valuesOf = <Value>(values: readonly Value[]) => new Set<unknown>(values)

  test('are feature-1 to feature-50', () => {
    expect(features.map((feature) => feature.id)).toEqual(
      Array.from({ length: 50 }, (_, index) => `feature-${index + 1}`),
    )
    expect(valuesOf(features.map((feature) => feature.name)).size).toBe(50)
  })

  test('mix shapes, types and statuses', () => {
    expect(valuesOf(features.map((feature) => feature.geometry.type))).toEqual(
      valuesOf(['Point', 'LineString', 'Polygon']),
    )
    expect(valuesOf(features.map((feature) => feature.featureType))).toEqual(
      valuesOf(['incident', 'parcel', 'asset']),
    )
    expect(valuesOf(features.map((feature) => feature.status))).toEqual(valuesOf(operationalStatuses))
  })

  test('have types and dates, so that each filter of the viewer has matches', () => {
    const of = (featureType: string) => features.filter((feature) => feature.featureType === featureType)
    expect(valuesOf(of('incident').map(({ type }) => type ?? null))).toEqual(valuesOf(incidentTypes))
    expect(valuesOf(of('asset').filter(({ type }) => !assetTypes.includes(type ?? '')))).toEqual(new Set())
    expect(valuesOf(of('parcel').flatMap(({ type, date }) => [type, date]))).toEqual(valuesOf([null]))
    const dates = of('incident').map(({ date }) => Date.parse(date ?? ''))
    const [week = 0, month = 0, year = 0] = (['week', 'month', 'year'] as const).map((range) => {
      const since = Date.parse(sinceOfTimeRange(range, now.getTime(), 'UTC') ?? '')
      return dates.filter((date) => date >= since).length
    })
    expect(0 < week && week < month && month < year && year < dates.length).toBe(true)
  })

  test('have a number, a text and a flag', () => {
    for (const { metadata } of features) {
      expect(metadata.map(({ name, value }) => [name, typeof value])).toEqual([
        ['customField1', 'number'],
        ['notes', 'string'],
        ['flag', 'boolean'],
      ])
    }
    expect(valuesOf(features.map((feature) => feature.metadata[2]?.value))).toEqual(valuesOf([true, false]))
  })

  test('are within 3 km of the default location', () => {
    const { lat, lng } = defaultClientLocation
    for (const [pointLng, pointLat] of features.flatMap((feature) =>
      partsOfGeometry(feature.geometry).flat(),
    )) {
      expect(geographiclib.Geodesic.WGS84.Inverse(lat, lng, pointLat, pointLng).s12).toBeLessThan(3_000)
    }
  })
})

describe.each(maps.map(({ mapId }) => mapId))('sample-data/%s.geojson', (mapId) => {
  const text = readFileSync(join(projectFolder, `sample-data/${mapId}.geojson`), 'utf8')
  const { type, features } = JSON.parse(text)

  test('is one collection with a feature per line, sorted by kind and number', () => {
    expect(type).toBe('FeatureCollection')
    const lines = text.split('\n').filter((line) => line.includes('"Feature"'))
    const order = ['parcel', 'asset', 'incident', 'feature']
    const ids: string[] = lines.map((line) => JSON.parse(line.replace(/,$/, '')).id)
    expect(ids).toHaveLength(features.length)
    const numbers = ids.map((id) => {
      const [kind = '', number] = id.split('-')
      return order.indexOf(kind) * 1_000 + Number(number)
    })
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  })

  test('is valid RFC 7946, with coordinates to a centimeter', () => {
    for (const { type, geometry, properties } of features) {
      expect([type, typeof properties]).toEqual(['Feature', 'object'])
      const polygons: Position[][][] =
        geometry.type === 'Polygon'
          ? [geometry.coordinates]
          : geometry.type === 'MultiPolygon'
            ? geometry.coordinates
            : []
      for (const [outer = [], ...holes] of polygons) {
        expect(turnedArea(outer)).toBeGreaterThan(0)
        for (const hole of holes) expect(turnedArea(hole)).toBeLessThan(0)
      }
      for (const degrees of JSON.stringify(geometry.coordinates).match(/[\d.]+/g) ?? [])
        expect(degrees.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(7)
    }
  })
})
