import { randomUUID } from 'node:crypto'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import {
  defaultMapConfiguration,
  type MapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { recordActivity } from '#server/activity/activity.queries.ts'
import { insertClient } from '#server/clients/store-clients.queries.ts'
import type { Database } from '#server/database/database.ts'
import { createListedEntries } from '#server/features/maintenance/maintenance-entries.queries.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { insertFeatures, removeFeatures } from '#server/thinning/write-features.queries.ts'

type OfKind<Kind> = Omit<Extract<NewFeature, { kind: Kind }>, 'kind' | 'mapId'>
export type TestFeature = Omit<NewFeature, 'mapId'>

/** Far from all sample data. */
export const origin = { lat: 35.2, lng: -112.4 } as const
const metersPerDegree = 111_319.49

/** Meters east and north of the origin; accurate within a few kilometers. */
export function placeAt(east: number, north: number): { lat: number; lng: number } {
  const lat = origin.lat + north / metersPerDegree
  const lng = origin.lng + east / (metersPerDegree * Math.cos((origin.lat * Math.PI) / 180))
  return { lat, lng }
}

export function metersFromOrigin({ lat, lng }: { lat: number; lng: number }) {
  const metersPerLngDegree = metersPerDegree * Math.cos((origin.lat * Math.PI) / 180)
  return { east: (lng - origin.lng) * metersPerLngDegree, north: (lat - origin.lat) * metersPerDegree }
}

function positionAt([east, north]: readonly [number, number]): Position {
  const { lat, lng } = placeAt(east, north)
  return [lng, lat]
}

export const pointAt = (east: number, north: number): Geometry => ({
  type: 'Point',
  coordinates: positionAt([east, north]),
})
export const lineThrough = (...points: [number, number][]): Geometry => ({
  type: 'LineString',
  coordinates: points.map(positionAt),
})
export function squareAt(east: number, north: number, side: number): Geometry {
  const half = side / 2
  const corners = [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
    [-half, -half],
  ] as const
  return { type: 'Polygon', coordinates: [corners.map(([x, y]) => positionAt([east + x, north + y]))] }
}

export function incident(fields: Partial<OfKind<'incident'>> & { id: string }): TestFeature {
  return {
    kind: 'incident',
    title: `Incident ${fields.id}`,
    description: '',
    type: 'other',
    severity: 'low',
    date: '2026-01-15T12:00:00Z',
    parcelId: null,
    reportedBy: null,
    resolved: false,
    resolvedDate: null,
    geometry: pointAt(0, 0),
    metadata: [],
    ...fields,
  } as TestFeature
}

export function asset(fields: Partial<OfKind<'asset'>> & { id: string }): TestFeature {
  return {
    kind: 'asset',
    name: `Asset ${fields.id}`,
    description: '',
    type: 'facility',
    status: 'operational',
    parcelId: null,
    installDate: null,
    lastMaintenance: null,
    maintenanceHistory: [],
    geometry: pointAt(0, 0),
    metadata: [],
    ...fields,
  } as TestFeature
}

export function parcel(fields: Partial<OfKind<'parcel'>> & { id: string }): TestFeature {
  return {
    kind: 'parcel',
    name: `Parcel ${fields.id}`,
    description: '',
    owner: null,
    area: null,
    buildings: null,
    purchaseDate: null,
    zoning: null,
    taxInfo: null,
    geometry: squareAt(0, 0, 400),
    metadata: [],
    ...fields,
  } as TestFeature
}

export async function createMap(
  database: Database,
  features: TestFeature[],
  { name = 'Quiet Hollow POA', location = 'Payson, Arizona' } = {},
): Promise<string> {
  const id = `map-${randomUUID()}`
  const now = Date.now()
  const rows = features.map((feature) => toFeatureRow({ ...feature, mapId: id } as NewFeature, { now }))
  await database.write(async (transaction) => {
    await insertClient(transaction, { id, name, location, thumbnail: null }, now)
    await insertFeatures(transaction, database.engine, rows)
    await createListedEntries(transaction, rows)
  })
  return id
}

/** Inserts or replaces features and publishes the changes. */
export async function putFeatures(database: Database, mapId: string, features: TestFeature[]): Promise<void> {
  const now = Date.now()
  const rows = features.map((feature) => toFeatureRow({ ...feature, mapId } as NewFeature, { now }))
  const ids = features.map((feature) => feature.id)
  await database.write(async (transaction) => {
    await removeFeatures(transaction, database.engine, mapId, ids)
    await insertFeatures(transaction, database.engine, rows)
    await createListedEntries(transaction, rows)
    await recordActivity(transaction, { mapId, action: 'features.imported' }, now)
  })
}

/** Removes features and publishes the changes. */
export async function takeFeatures(database: Database, mapId: string, ids: string[]): Promise<void> {
  await database.write(async (transaction) => {
    await removeFeatures(transaction, database.engine, mapId, ids)
    await recordActivity(transaction, { mapId, action: 'features.import-undone' }, Date.now())
  })
}

export async function applyConfiguration(
  database: Database,
  mapId: string,
  changes: Partial<MapConfiguration>,
  version = 1,
): Promise<void> {
  const configuration = JSON.stringify({ ...defaultMapConfiguration, ...changes })
  await database.write((transaction) =>
    transaction
      .insertInto('map_configurations')
      .values({ map_id: mapId, version, configuration, applied_at: Date.now(), applied_by: null })
      .execute(),
  )
}

export async function tellOfConfiguration(database: Database, mapId: string): Promise<void> {
  await database.write((transaction) =>
    recordActivity(transaction, { mapId, action: 'configuration.applied' }, Date.now()),
  )
}
