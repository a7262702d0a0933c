import { describe, expect, test } from 'vitest'
import { assetDefinition } from '#domain/assets/asset.definition.ts'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { client } from '#domain/clients/client.schema.ts'
import { newFeature } from '#domain/features/feature.schema.ts'
import { sinceOfTimeRange, startOfUtcDay, type TimeRange } from '#domain/features/filters.ts'
import { operationalStatuses } from '#domain/features/kinds.ts'
import { listDescriptionLength } from '#domain/features/text.ts'
import { incidentTypes, severities } from '#domain/incidents/incident-types.ts'
import { partsOfGeometry, shapeOfGeometry } from '#server/geometry/measure-geometry.ts'
import { isInsideRing, type Point } from './land/plane.ts'
import { sampleMaps } from './sample-maps.ts'

const now = new Date('2026-11-21T05:00:00Z')
const maps = sampleMaps(now)
const clients = maps.flatMap(({ client, features }) => (client ? [{ id: client.id, client, features }] : []))

test('every feature and client is as the domain wants it, and no id comes twice on a map', () => {
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
    expect(client.safeParse(answer).error).toBeUndefined()
  }
})

test('the same day gives the same bytes, another day other dates only', () => {
  expect(JSON.stringify(sampleMaps(new Date('2026-11-21T23:59:59.999Z')))).toBe(JSON.stringify(maps))
  const later = sampleMaps(new Date('2026-12-24T00:00:00Z'))
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

  test('keeps maintenance newest first, after the installation and never ahead of today', () => {
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
    expect(seen(incidents.map((incident) => incident.severity))).toEqual(seen([...severities, null]))
    expect(seen(incidents.map((incident) => incident.resolved))).toEqual(seen([true, false]))
    expect(incidents.some((incident) => incident.description.length > listDescriptionLength)).toBe(true)
    expect(incidents.every((incident) => incident.reportedBy)).toBe(true)
  })

  test('resolves incidents after they happened, and nothing lies ahead of now', () => {
    for (const { date, resolved, resolvedDate } of incidents) {
      expect((date ?? '') < now.toISOString()).toBe(true)
      expect(resolvedDate !== null).toBe(resolved)
      if (resolvedDate) expect((date ?? '') < resolvedDate && resolvedDate <= now.toISOString()).toBe(true)
    }
  })

  test('shows more incidents in every wider time range', () => {
    const counts = (['week', 'month', 'year', 'all'] as TimeRange[]).map((range) => {
      const since = sinceOfTimeRange(range, now)
      return incidents.filter(({ date }) => !since || Date.parse(date ?? '') >= startOfUtcDay(since)).length
    })
    const [week = 0, month = 0, year = 0, all = 0] = counts
    expect(week).toBeGreaterThan(0)
    expect([month > week, year > month, all > year]).toEqual([true, true, true])
  })

  test('puts a pin on the parcel that it names, and names none for a pin outside of all', () => {
    for (const { id, geometry, parcelId } of pins) {
      const place = partsOfGeometry(geometry)[0]?.[0] as unknown as Point
      const around = parcels.filter((parcel) =>
        isInsideRing(place, partsOfGeometry(parcel.geometry)[0]?.slice(1) as unknown as Point[]),
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
      const ring = parcel && (partsOfGeometry(parcel.geometry)[0]?.slice(1) as unknown as Point[])
      for (const place of partsOfGeometry(geometry).flat()) {
        expect(ring && isInsideRing(place as unknown as Point, ring), id).toBe(true)
      }
    }
  })

  test('lets single assets stand beside the pond, the field and the buildings, not on them', () => {
    const areas = assets.filter((asset) => shapeOfGeometry(asset.geometry) === 'polygon')
    const rings = areas.flatMap((area) => partsOfGeometry(area.geometry)) as unknown as Point[][]
    for (const { id, geometry } of assets.filter((asset) => asset.geometry.type === 'Point')) {
      const place = partsOfGeometry(geometry)[0]?.[0] as unknown as Point
      expect(
        rings.some((ring) => isInsideRing(place, ring)),
        id,
      ).toBe(false)
    }
  })

  test('repeats no text that stands side by side', () => {
    const titles = incidents.map((incident) => incident.title)
    expect(new Set(titles).size).toBe(titles.length)
    const names = [...assets, ...parcels].map((feature) => feature.name)
    expect(new Set(names).size).toBe(names.length)
    const texts = [...assets, ...incidents].map((feature) => feature.description)
    expect(texts.length - new Set(texts).size).toBeLessThanOrEqual(1)
  })
})
